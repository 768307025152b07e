import { readDataFile } from "../read-data-file.js";
import {
  type OpenApiSelection,
  type OpenApiServices,
  servicesFromOpenApi,
} from "./services-from-openapi.js";

/**
 * Reads an OpenAPI document from a JSON or YAML file and makes services of its selected operations. Throws as
 * `readDataFile` and `servicesFromOpenApi` do.
 */
export async function importOpenApi(
  file: string,
  selection: OpenApiSelection = {},
): Promise<OpenApiServices> {
  return servicesFromOpenApi(await readDataFile(file), selection);
}
