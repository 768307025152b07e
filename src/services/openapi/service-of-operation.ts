import { issueLines } from "../../run/errors.js";
import type { ServiceInput } from "../definition.js";
import { ServiceDefinition } from "../service-definition.js";
import { operationArguments } from "./arguments.js";
import { errorPath } from "./error-path.js";
import { operationAuth, type Variables } from "./operation-auth.js";
import { operationBody } from "./operation-body.js";
import { type Dropped, operationParameters } from "./operation-parameters.js";
import { operationText } from "./operation-text.js";
import type { Operation } from "./operations.js";
import type { Fields } from "./references.js";
import { type ChosenServer, serverUrl } from "./server-url.js";
import { UnfitOperation } from "./unfit-operation.js";

/** What the developer says of all operations. */
export type Surroundings = {
  readonly server?: ChosenServer | undefined;
  readonly env?: Variables | undefined;
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * An operation as a service without its name, and the optional parameters that it does without. Throws
 * `UnfitOperation` for one that no definition can say.
 */
export function serviceOfOperation(
  document: Fields,
  operation: Operation,
  { server, env = {} }: Surroundings,
): { service: Omit<ServiceInput, "name">; dropped: readonly Dropped[] } {
  const method = methods.find((each) => each === operation.method);
  if (method === undefined) throw new UnfitOperation(`its method is ${operation.method}`);
  const { parameters, dropped } = operationParameters(document, operation);
  const body = operationBody(document, operation);
  const args = operationArguments(document, method, parameters, body);
  const auth = operationAuth(document, operation, env);
  const error = errorPath(document, operation);
  const service = {
    ...operationText(operation),
    parameters: args.parameters,
    request: {
      method,
      url: `${serverUrl(document, operation, server)}${pathOf(operation, args.inPath)}`,
      ...(Object.keys(args.in).length === 0 ? {} : { in: args.in }),
      ...(body?.contentType === undefined ? {} : { headers: { "content-type": body.contentType } }),
      ...(body?.format === "form" ? { bodyFormat: body.format } : {}),
      ...args.fixed,
      ...(auth === undefined ? {} : { auth }),
    },
    ...(error === undefined ? {} : { error: { path: error } }),
  };
  check({ name: "name", ...service });
  return { service, dropped: [...dropped, ...args.dropped] };
}

function pathOf({ path }: Operation, inPath: ReadonlyMap<string, string>): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `{${inPath.get(name) ?? name}}`);
}

function check(service: ServiceInput): void {
  const { error } = ServiceDefinition.safeParse(service);
  if (error !== undefined) throw new UnfitOperation(issueLines(error.issues).join("; "));
}
