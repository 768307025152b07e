import { basename } from "node:path";

import { checkAgents, problemLine } from "../../src/agents/index.js";

/** The problems of an agent or workflow file, without its folder. */
export async function problemsIn(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { problems } = await checkAgents([file], { environment });
  return problems.map((one) => problemLine({ ...one, file: basename(one.file) }));
}
