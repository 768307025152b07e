import { calculator, createReactGraph } from "../../src/index.js";
import { serveMcp } from "../../src/mcp/index.js";

// Serves a graph on the standard input and output, and prints what would break the protocol.
const graph = createReactGraph({ models: "offline", tools: [calculator] });
const { closed } = await serveMcp({ graphs: { sums: { graph, description: "Does sums." } } });
console.log("hello from console.log");
process.stdout.write("hello from stdout\n");
await closed;
process.stderr.write("closed\n");
