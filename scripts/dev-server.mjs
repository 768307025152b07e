// Starts the LangGraph dev server in this very process, so that a signal to it ends the server: tests compare it with
// `plangraph serve`. Arguments go to `langgraphjs dev`.
const port = process.env.PORT || "2024";
process.env.LANGGRAPH_CLI_NO_ANALYTICS ??= "1";
process.argv.splice(2, 0, "dev", "--no-browser", "--port", port);
await import("../node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs");
