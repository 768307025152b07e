// Serves the graphs of `langgraph.json` for LangGraph Studio, with durable threads: `PORT=2100 npm run studio`. Further
// arguments go to `plangraph serve`.
import { endWithParent } from "./end-with-parent.mjs";

const port = process.env.PORT || "2180";
const studio = "https://smith.langchain.com";
process.argv.splice(2, 0, "serve", "--port", port, "--allow-origin", studio);
process.stderr.write(`Studio: ${studio}/studio/?baseUrl=http://127.0.0.1:${port}\n`);
endWithParent();
// The graphs are modules in TypeScript.
await import("tsx");
await import("./plangraph.mjs");
