import { appendFileSync } from "node:fs";
import { argv } from "node:process";

import { type KnowledgeOptions, openKnowledge } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "./hashed-embeddings.js";

/** Reads an edition of some pages into a base, writes down what it embeds, and kills itself at a moment, counted from 1. */
const [, , place = "", log = "", edition = "", killAt = ""] = argv;
let moments = 0;
const moment = () => {
  moments += 1;
  if (moments === Number(killAt)) process.kill(process.pid, "SIGKILL");
};
class Loud extends HashedEmbeddings {
  override async embedDocuments(texts: string[]): Promise<number[][]> {
    moment();
    const vectors = await super.embedDocuments(texts);
    appendFileSync(log, texts.map((text) => `${JSON.stringify(text)}\n`).join(""));
    moment();
    return vectors;
  }
}
const pages = Array.from({ length: 6 }, (_, page) => ({
  name: `page${page}.md`,
  content: Array.from(
    { length: 40 },
    (_none, at) => `# ${page}.${at}\n\nText ${at} of page ${page}, ${at % 2 === 0 ? edition : ""}.`,
  ).join("\n\n"),
}));
const options: KnowledgeOptions = JSON.parse(place);
const knowledge = await openKnowledge({ ...options, embeddings: new Loud() });
await knowledge.ingest(pages, { onProgress: moment });
await knowledge.close();
process.stdout.write("done\n");
