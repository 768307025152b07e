import { writeFile } from "node:fs/promises";

import { format, resolveConfig } from "prettier";

import { serviceSchema } from "./service-schema.js";

const file = "service.schema.json";
const options = { ...(await resolveConfig(file)), filepath: file };
await writeFile(file, await format(JSON.stringify(serviceSchema()), options));
process.stdout.write(`${file} is written.\n`);
