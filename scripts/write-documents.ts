// Writes the programs of the documents to .documents/, where `npm run check:types` reads them with everything else.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { folderOf, readPages, writePrograms } from "./documents.js";

const repository = fileURLToPath(new URL("..", import.meta.url));
const folder = `${repository}.documents`;

rmSync(folder, { recursive: true, force: true });
for (const { path, text } of readPages(repository)) {
  writePrograms(`${folder}/${folderOf(path)}`, text);
}
