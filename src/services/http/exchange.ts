import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";

import { errorLine } from "../../observe/redact.js";
import { ClassifiedError, classifyError, EffectUnknown } from "../../run/errors.js";
import { untilAborted } from "../../run/signals.js";
import type { CheckedAddresses } from "./checked-addresses.js";
import { type HttpCall, sentHeaders } from "./http-call.js";
import type { HttpOptions, HttpResponse } from "./http-request.js";
import { placeOf } from "./place.js";
import { readBody } from "./read-body.js";
import { locationOf } from "./redirect.js";

/** What one server answered to one call. */
export type Answer = Pick<HttpResponse, "status" | "headers" | "text">;

/** A server answered, and the body of its answer cannot be read. */
export class UnreadBody extends ClassifiedError {
  readonly answer: Omit<HttpResponse, "text">;

  constructor(answer: Omit<HttpResponse, "text">, cause: unknown) {
    super(classifyError(cause).kind, errorLine(cause, 800), { cause });
    this.answer = answer;
  }
}

/**
 * Sends one call to addresses that have been checked, and reads what comes; the body of a redirect is
 * left. The connection is gone when this returns, whatever came of it. The signal is this call's own.
 */
export async function exchange(
  call: HttpCall,
  addresses: CheckedAddresses,
  { maxBytes, signal }: Pick<HttpOptions, "maxBytes" | "signal">,
): Promise<Answer> {
  const client = connect(call, addresses);
  try {
    return await untilAborted(async () => {
      const response = await responseTo(client, call.body);
      return await readAnswer(response, call, maxBytes);
    }, signal);
  } finally {
    client.destroy();
  }
}

function connect(call: HttpCall, addresses: CheckedAddresses): ClientRequest {
  const { method, url } = call;
  const { host } = placeOf(url);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const client = request(url, {
    method,
    headers: sentHeaders(call),
    // No agent of the process: that one may keep connections, or go through a proxy.
    agent: false,
    lookup: pinned(addresses),
    // The certificate is for the name, wherever it was found.
    servername: isIP(host) === 0 ? host : "",
  });
  // An error that comes when nobody waits any more would end the process.
  return client.on("error", () => {});
}

/** Stands in for the second look-up that Node would make: it may have another result than the one that was checked. */
function pinned(addresses: CheckedAddresses): LookupFunction {
  const [{ address, family }] = addresses;
  return (_host, { all }, callback) => {
    if (all === true) callback(null, [...addresses]);
    else callback(null, address, family);
  };
}

function responseTo(client: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    client.on("error", reject);
    client.once("response", resolve);
    // Node tells of a change of protocol only so.
    client.once("close", () => {
      reject(new EffectUnknown("rejected", "the server answered with something else than HTTP"));
    });
    client.end(body);
  });
}

async function readAnswer(
  response: IncomingMessage,
  { method, url }: HttpCall,
  maxBytes: number,
): Promise<Answer> {
  const { statusCode: status = 0 } = response;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  const isBare =
    method === "HEAD" || [204, 304].includes(status) || locationOf(status, headers) !== undefined;
  if (isBare) return { status, headers, text: "" };
  try {
    return { status, headers, text: await readBody(response, maxBytes) };
  } catch (error) {
    throw new UnreadBody({ status, headers, url: url.href }, error);
  }
}
