import { ServiceDefinition } from "../../src/services/definition-problems.js";
import type { Service, ServiceInput } from "../../src/services/definition.js";

/** What a test's definition differs in from a plain one. */
export type ServiceChanges = Omit<Partial<ServiceInput>, "request"> & {
  readonly request?: Partial<ServiceInput["request"]>;
};

/** A definition of a service that reads rooms, but for what is given. */
export function serviceInput({ request, ...given }: ServiceChanges = {}): ServiceInput {
  return {
    name: "rooms",
    description: "Lists rooms.",
    parameters: { type: "object", properties: { building: { type: "string" } } },
    request: { url: "https://rooms.example/rooms", ...request },
    ...given,
  };
}

/** The same, read. */
export function serviceOf(given: ServiceChanges = {}): Service {
  return ServiceDefinition.parse(serviceInput(given));
}
