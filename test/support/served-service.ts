import type { Json } from "../../src/json/json.js";
import { type ServiceOptions, serviceTools } from "../../src/services/service-tools.js";
import { type LocalServer, serving } from "./local-server.js";
import { type ServiceChanges, serviceInput } from "./services.js";
import { toolRun } from "./tool-run.js";

/** A server that answers with this, and the tool of a service there. */
export async function servedService(body: Json, given: ServiceChanges = {}, status = 200) {
  const server = await serving((response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  return { server, ...calledService(server, given) };
}

/** A run with the tool of a service at this server. */
export function calledService(
  { host, url }: Pick<LocalServer, "host" | "url">,
  given: ServiceChanges,
  options: ServiceOptions = {},
) {
  const definition = serviceInput({ ...given, request: { url: `${url}/rooms`, ...given.request } });
  const tools = serviceTools([definition], { allowHosts: [host], environment: {}, ...options });
  return { tools, run: toolRun(tools) };
}
