import { PlangraphError } from "../../errors.js";
import { estimateTokens } from "../../models/usage.js";
import { checkNames, type NamesOf } from "../../run/check-names.js";
import { uncheckedPatterns } from "../../tools/linear-pattern.js";
import type { ServiceInput } from "../definition.js";
import { readDataFile } from "../load-services.js";
import { uniqueNames } from "../values.js";
import { checkServerUrl, chosenServer, schemesIn, type Variables } from "./auth.js";
import {
  isNamed,
  labelOf,
  type LeftOut,
  type Operation,
  type OperationChoice,
  operationsIn,
  readDocument,
  selectOperations,
} from "./operations.js";
import { type Fields, UnfitOperation } from "./references.js";
import { serviceOfOperation, type Surroundings } from "./service-of-operation.js";

/** Which operations of an OpenAPI document become services, and what the document cannot know. */
export type OpenApiSelection = OperationChoice & {
  /**
   * The address to call in place of the document's servers; relative ones stand on it. Nothing is sent anywhere else:
   * operations with another server of their own are left out.
   */
  readonly serverUrl?: string | undefined;
  /** Environment variables for security schemes by their names; default: title and scheme, `PETSTORE_API_KEY`. */
  readonly env?: Variables | undefined;
};

const selectionNames: NamesOf<OpenApiSelection> = {
  tags: true,
  operations: true,
  methods: true,
  serverUrl: true,
  env: true,
};

/** What came of the operations that were selected. */
export type OpenApiServices = {
  readonly services: readonly ServiceInput[];
  /** Operations that could not be made services, and why. */
  readonly leftOut: readonly LeftOut[];
  /** Optional parameters that services do without, and why. */
  readonly dropped: readonly {
    readonly service: string;
    readonly parameter: string;
    readonly reason: string;
  }[];
  /** Patterns that only the service checks: the linear-time engine cannot take them (look-around, references to groups). */
  readonly unchecked: readonly { readonly service: string; readonly pattern: string }[];
  /** What the tools' definitions cost a model with each call, estimated; the dearest are five at most. */
  readonly tokens: {
    readonly total: number;
    readonly dearest: readonly { readonly service: string; readonly tokens: number }[];
  };
};

/**
 * Makes services of the selected operations of an OpenAPI document, version 3.0 or 3.1. Only what these operations
 * reach is looked at. Deprecated ones are left out unless `operations` names them. Throws `invalid_input` for what is
 * no such document, `invalid_option` for a selection that names what is not in it or leaves nothing.
 */
export function servicesFromOpenApi(
  document: unknown,
  selection: OpenApiSelection = {},
): OpenApiServices {
  checkNames("The selection", selection, selectionNames, { server: "serverUrl" });
  const read = readDocument(document);
  checkServerUrl(selection.serverUrl);
  checkSchemes(read, selection.env);
  const { operations, leftOut } = operationsIn(read);
  // Where none can be read, why says more than that none is selected.
  const isUnreadable = operations.length === 0 && leftOut.length > 0;
  const selected = isUnreadable ? [] : selectOperations(operations, selection);
  const nameOf = uniqueNames();
  const given = {
    selection,
    env: selection.env,
    server: chosenServer(read, operations, selection.serverUrl),
  };
  const made = selected.map((operation) => convert(read, operation, given, nameOf));
  const services = made.flatMap(({ service }) => (service === undefined ? [] : [service]));
  return {
    services,
    leftOut: [...leftOut, ...made.flatMap((each) => each.leftOut ?? [])],
    dropped: made.flatMap((each) => each.dropped ?? []),
    unchecked: services.flatMap(({ name: service, parameters }) =>
      uncheckedPatterns(parameters).map((pattern) => ({ service, pattern })),
    ),
    tokens: tokensOf(services),
  };
}

type Converted = {
  readonly service?: ServiceInput;
  readonly leftOut?: LeftOut;
  readonly dropped?: OpenApiServices["dropped"];
};

function convert(
  document: Fields,
  operation: Operation,
  { selection, ...surroundings }: Surroundings & { readonly selection: OpenApiSelection },
  nameOf: ReturnType<typeof uniqueNames>,
): Converted {
  const { id, method, path, fields } = operation;
  if (fields["deprecated"] === true && !isNamed(operation, selection)) {
    return { leftOut: { operation: labelOf(operation), reason: "it is deprecated" } };
  }
  try {
    const { service, dropped } = serviceOfOperation(document, operation, surroundings);
    const name = nameOf(id === "" ? `${method.toLowerCase()} ${path}` : id, "operation");
    return {
      service: { name, ...service },
      dropped: dropped.map((each) => ({ service: name, ...each })),
    };
  } catch (error) {
    if (!(error instanceof UnfitOperation)) throw error;
    return { leftOut: { operation: labelOf(operation), reason: error.message } };
  }
}

function tokensOf(services: readonly ServiceInput[]): OpenApiServices["tokens"] {
  const each = services.map(({ name, description, extendedDescription, parameters }) => ({
    service: name,
    tokens: estimateTokens(JSON.stringify({ name, description, extendedDescription, parameters })),
  }));
  return {
    total: each.reduce((total, { tokens }) => total + tokens, 0),
    dearest: each.toSorted((one, other) => other.tokens - one.tokens).slice(0, 5),
  };
}

function checkSchemes(document: Fields, variables: Variables = {}): void {
  const known = schemesIn(document);
  for (const scheme of Object.keys(variables)) {
    if (known.includes(scheme)) continue;
    const names = known.length === 0 ? "none" : known.join(", ");
    throw new PlangraphError(
      "invalid_option",
      `The document has no security scheme ${JSON.stringify(scheme)}; its schemes are: ${names}.`,
    );
  }
}

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
