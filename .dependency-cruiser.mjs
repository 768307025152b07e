// Each is a subpath of the package. It shows its index.ts alone, and neither the main entry nor a lower row imports it.
const capabilities = ["kit", "mcp", "otel", "services", "tracing", "knowledge", "evaluation"];

// What files of SQLite have in common: a subpath, too, and below those that keep data in one.
const storage = "sqlite";
const subpaths = ["agents", ...capabilities, "server", storage];

// Layers from top to bottom: a folder imports itself and every folder of a lower row, none of its own row.
const rows = [
  ["cli"],
  ["server", "page"],
  ["agents"],
  capabilities,
  [storage],
  ["files"],
  ["graphs"],
  ["nodes"],
  ["runtime"],
  ["roles"],
  ["tools"],
  ["models"],
  ["run"],
  ["evidence"],
  ["prompts", "observe"],
  ["state", "cards"],
  ["plan"],
  ["json", "dates"],
];
const core = rows.slice(6).flat();
const known = `^src/(${[...rows.flat(), "testing"].join("|")})/|^src/(index|errors|platform)\\.ts$`;

const importsDownwards = (layer, below) => ({
  name: `${layer}-imports-downwards`,
  severity: "error",
  from: { path: `^src/${layer}/` },
  to: {
    path: "^src/",
    pathNot: `^src/(${[layer, ...below].join("|")})/|^src/(errors|platform)\\.ts$`,
  },
});

const standsAlone = (place, path, itself, elsewhere) => ({
  name: `${place}-stands-alone`,
  severity: "error",
  from: { path },
  to: { path: elsewhere, pathNot: itself },
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...rows
      .slice(0, -1)
      .flatMap((row, at) => row.map((layer) => importsDownwards(layer, rows.slice(at + 1).flat()))),
    // The plan's rules are pure: no package, no module of Node's, no error of ours, no folder but the one that reads JSON;
    // and numbers in words are read in one place.
    standsAlone("plan", "^src/plan/", "^src/(plan|json)/|^src/dates/number-words\\.ts$", "."),
    // What may go out is decided by code alone, without a model or a run.
    standsAlone(
      "evidence",
      "^src/evidence/",
      "^src/(evidence|dates|json)/|^src/errors\\.ts$",
      "^src/",
    ),
    // Cards are pure, too: of the rules of plans they have the one that finds a misspelt name.
    standsAlone(
      "cards",
      "^src/cards/",
      "^src/(cards|json)/|^src/(errors|plan/nearest)\\.ts$",
      "^src/",
    ),
    standsAlone(
      "cards-packages",
      "^src/cards/",
      "node_modules/(zod|@langchain/core/dist/messages)/",
      "node_modules/",
    ),
    standsAlone("errors", "^src/(errors|platform)\\.ts$", "^$", "."),
    {
      name: "the-core-runs-without-node",
      severity: "error",
      from: { path: `^src/(index\\.ts$|(${core.join("|")})/)` },
      to: { dependencyTypes: ["core"] },
    },
    standsAlone("testing", "^src/testing/", "^src/testing/", "^src/"),
    {
      name: "every-file-has-a-layer",
      severity: "error",
      from: { path: "^src/", pathNot: known },
      to: {},
    },
    {
      name: "every-import-has-a-layer",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/", pathNot: known },
    },
    {
      name: "capabilities-show-their-index",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: {
        path: `^src/(${subpaths.join("|")})/`,
        pathNot: `^src/$1/|^src/(${subpaths.join("|")})/index\\.ts$`,
      },
    },
    {
      name: "main-entry-has-no-capability",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { path: `^src/(${subpaths.join("|")})/` },
    },
    {
      name: "nothing-imports-the-barrel",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/(testing/)?index\\.ts$" },
    },
    {
      name: "no-dev-dependencies",
      severity: "error",
      from: { path: "^src" },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["npm", "npm-peer"],
        // Imported on use, with an error that names the package.
        // The page is built with preact in it.
        pathNot: ["node_modules/@langchain/community", "node_modules/tsx", "node_modules/preact"],
      },
    },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
    },
  },
};
