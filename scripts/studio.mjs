// Starts the LangGraph dev server in this very process, so that a signal to it ends the server:
// `PORT=2100 npm run studio`. Further arguments go to `langgraphjs dev`.
const port = process.env.PORT || "2024";
process.env.LANGGRAPH_CLI_NO_ANALYTICS ??= "1";
process.argv.splice(2, 0, "dev", "--no-browser", "--port", port);
if (process.env.npm_lifecycle_event !== undefined) endWithParent();
await import("../node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs");

/** npm hands a signal to its shell, which dies of it and tells nobody: notice that it is gone. */
function endWithParent() {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  };
  setInterval(look, 500).unref();
}
