import { z } from "zod";

import { ServiceDefinition } from "../src/services/definition-problems.js";

/** The JSON Schema of service definitions, with which editors complete and check their files. */
export function serviceSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ServiceDefinition, { io: "input" });
  return {
    $schema,
    $id: "plangraph/service.schema.json",
    title: "plangraph service definition",
    ...schema,
  };
}
