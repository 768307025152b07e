import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const sourceOf = ({ types }) => types?.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts");

/** The API reference: `npm run docs` writes every export of every entry point of the package. */
export default {
  name: "plangraph",
  entryPoints: Object.values(exports).flatMap((entry) => sourceOf(entry) ?? []),
  tsconfig: "tsconfig.build.json",
  out: "docs/api",
  readme: "none",
  excludeExternals: true,
  excludeInternal: true,
  disableSources: true,
  treatWarningsAsErrors: true,
  // Links in comments that come from LangChain's own types.
  externalSymbolLinkMappings: { "@langchain/core": { "*": "#" } },
  // Parts of public types whose names nobody needs.
  intentionallyNotExported: [
    "all",
    "handOffCauses",
    "protocols",
    "Origin",
    "AgentEventBody",
    "TimeOptions",
    "ServiceFields",
    "HandedOver",
    "HookRuntime",
    "LeftOut",
    "OperationChoice",
    "Resolve",
    "WrappedState",
    "ParsedOptions",
    "Variables",
    "SoloCall",
    "SubRun",
    "RandomNumberOptions",
    "Saver",
    "WithRaw",
    "OutputSchema",
    "RoutingProgress",
    "SubRunState",
    "replannings",
    "JsonFinder",
  ],
};
