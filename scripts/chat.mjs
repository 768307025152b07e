// Serves the example shop with its page, offline: `npm run chat`. Further arguments go to `plangraph serve`.
import { join } from "node:path";

import { endWithParent } from "./end-with-parent.mjs";

const root = join(import.meta.dirname, "..");
const config = join(root, "examples/shop/langgraph.json");
process.argv.splice(2, 0, "serve", "--config", config, "--data", join(root, ".plangraph/chat"));
process.stderr.write("Ask, for example: Please refund my kettle\n");
endWithParent();
// The graph is a module in TypeScript, and so is what builds the page.
await import("tsx");
const { buildPage } = await import("./build-page.ts");
await buildPage();
await import("./plangraph.mjs");
