import { loadAgent } from "../../src/agents/index.js";

// Loads an agent file, to be killed in the middle of it.
const [, , file = ""] = process.argv;
await loadAgent(file);
