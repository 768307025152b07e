// Serves the graphs of `langgraph.json` for LangGraph Studio, with durable threads: `PORT=2100 npm run studio`. Further
// arguments go to `plangraph serve`.
const port = process.env.PORT || "2180";
const studio = "https://smith.langchain.com";
process.argv.splice(2, 0, "serve", "--port", port, "--allow-origin", studio);
process.stderr.write(`Studio: ${studio}/studio/?baseUrl=http://127.0.0.1:${port}\n`);
if (process.env.npm_lifecycle_event !== undefined) endWithParent();
// The graphs are modules in TypeScript.
await import("tsx");
await import("./plangraph.mjs");

/** npm hands a signal to its shell, which dies of it and tells nobody: notice that it is gone. */
function endWithParent() {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  };
  setInterval(look, 500).unref();
}
