import { basename } from "node:path";

import { checkAgents, problemLine } from "../../src/agents/index.js";
import { createDirectory } from "../cli/console.js";

/** A file that is refused: what it has, and what is told of it; `more`: how many problems follow from that one. */
export type BrokenFile = {
  readonly is: string;
  readonly text: string;
  readonly told: RegExp;
  readonly more?: number;
};

/** A folder with files that agents name: another agent, a document, services. */
export async function createAgentFolder() {
  const directory = await createDirectory();
  await directory.write("sums.agent.yaml", "graph: react\ndescription: Sums.\n");
  await directory.write("faq.md", "# Cards\n\nGold members get 12 % off.\n");
  await directory.write("services.yaml", JSON.stringify([look, note, ask]));
  return {
    remove: directory.remove,
    /** The problems of a file in it, without its folder. */
    problemsOf: async (text: string) => {
      const file = await directory.write("a.agent.yaml", text);
      const { problems } = await checkAgents([file], { environment: {} });
      return problems.map((one) => problemLine({ ...one, file: basename(one.file) }));
    },
  };
}

const service = {
  description: "A service.",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  request: { url: "https://shop.example/orders" },
};
const look = { ...service, name: "look" };
const note = { ...service, name: "note", request: { ...service.request, method: "POST" } };
const ask = { ...service, name: "ask", needsApproval: true };
