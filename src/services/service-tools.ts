import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import type { Environment } from "../models/model.js";
import { checkNames, type NamesOf, shown } from "../run/check-names.js";
import { commaList } from "../run/comma-list.js";
import { credentialsOf } from "./build-request.js";
import { readService } from "./definition-problems.js";
import { addressIn, type Service, type ServiceInput } from "./definition.js";
import { readAllowHosts } from "./http/allow-hosts.js";
import type { Resolve } from "./http/request.js";
import { createServiceTool } from "./service-tool.js";

/** How services are called. Every field is optional. */
export type ServiceOptions = {
  /**
   * Hosts that may have private addresses: `"rooms.internal"`, `"127.0.0.1:8080"`, `"10.0.0.0/8"`. Default: those that
   * `PLANGRAPH_ALLOW_HOSTS` lists, separated by commas.
   */
  readonly allowHosts?: readonly string[];
  /** Where secrets and settings stand. Default: `process.env`. */
  readonly environment?: Environment;
  /** Finds the addresses of a host. Default: the system's resolver. */
  readonly resolve?: Resolve;
};

/** A definition, and what it is called in an error. */
export type GivenService = { readonly definition: unknown; readonly where: string };

/**
 * Makes tools of service definitions, in their order. Throws `invalid_service` for one that does not fit, with the path
 * of each problem, `missing_key` where the variable with a service's secret is not set, and `invalid_option` for a
 * host that cannot be allowed.
 */
export function serviceTools(
  definitions: readonly ServiceInput[],
  options: ServiceOptions = {},
): StructuredToolInterface[] {
  checkServices("serviceTools", "service definitions", definitions, options);
  const given = definitions.map((definition, at) => ({
    definition,
    where: `Service ${at + 1}${nameOf(definition)}`,
  }));
  return toolsOf(given, options);
}

const names: NamesOf<ServiceOptions> = { allowHosts: true, environment: true, resolve: true };

/** Checks what tools are to be made of, and the names of the options. Throws `invalid_option`. */
export function checkServices(where: string, what: string, given: unknown, options: unknown): void {
  checkNames(where, options, names);
  if (Array.isArray(given)) return;
  throw new PlangraphError(
    "invalid_option",
    `${where}: expected a list of ${what}, got ${shown(given)}.`,
  );
}

/** The same for definitions of which it is known where they come from. */
export function toolsOf(
  given: readonly GivenService[],
  {
    environment = process.env,
    resolve,
    allowHosts = commaList(environment["PLANGRAPH_ALLOW_HOSTS"]),
  }: ServiceOptions,
): StructuredToolInterface[] {
  readAllowHosts(allowHosts);
  const services = given
    .map(({ definition, where }) => readService(definition, where))
    .map((service) => addressed(service, environment));
  return services.map((service) =>
    createServiceTool(service, {
      allowHosts,
      credentials: credentialsOf(service, environment),
      ...defined({ resolve }),
    }),
  );
}

/** The service at the address that the environment gives it. */
function addressed(service: Service, environment: Environment): Service {
  const { name, request } = service;
  return { ...service, request: { ...request, url: addressIn(request.url, environment, name) } };
}

/** The name of a definition that may be anything. */
export function nameOf(definition: unknown): string {
  const name: unknown =
    typeof definition === "object" && definition !== null ? Reflect.get(definition, "name") : "";
  return typeof name === "string" && name !== "" ? ` ("${name}")` : "";
}
