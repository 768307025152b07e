import { defineConfig } from "vitest/config";

/** Folders whose tests leave nothing behind: their files share one load of the modules, which takes most of their time. */
const shared = [
  "agents",
  "cards",
  "dates",
  "evaluation",
  "evidence",
  "faults",
  "fuzz",
  "graphs",
  "json",
  "kit",
  "knowledge",
  "mcp",
  "models",
  "noise",
  "observe",
  "otel",
  "page",
  "plan",
  "prompts",
  "roles",
  "run",
  "runtime",
  "services",
  "sqlite",
  "state",
  "testing",
  "tools",
  "tracing",
]
  .map((folder) => `test/${folder}/**/*.test.ts`)
  // Those that serve are alone: serve.test.ts was not seen to end in a worker that other files had used.
  .concat("test/cli/!(serve|serve-graphs).test.ts", "test/cli/view/*.test.ts");

export default defineConfig({
  // The examples import the package by its name.
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      { extends: true, test: { name: "shared", isolate: false, include: shared } },
      { extends: true, test: { name: "alone", include: ["test/**/*.test.ts"], exclude: shared } },
    ],
    // Some tests start programs and servers, and CI may be slow.
    testTimeout: 30_000,
    expect: { poll: { timeout: 25_000 } },
    // More workers than cores: tests that wait for a server or a process leave a core idle.
    maxWorkers: "150%",
    // OpenAI's client keeps the console of the first file that shares its module, whatever later ones put in its place.
    env: { LANGSMITH_TRACING: "false", OPENAI_LOG: "off" },
    onConsoleLog: (log) => {
      throw new Error(`A test printed: ${log}`);
    },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // Tests start the program as a process, and open the page in a browser: coverage sees neither.
      exclude: [
        "src/cli/main.ts",
        "src/page/{api,chat,plan,runs,shell,trace}/**",
        "src/page/text/context.tsx",
      ],
      // Its table would follow the tests' summary, which is to be the last that is said.
      reporter: ["json-summary"],
      reportOnFailure: true,
      thresholds: { lines: 95, functions: 95, branches: 90, statements: 95 },
    },
  },
});
