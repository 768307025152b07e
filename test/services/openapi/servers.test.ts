import { describe, expect, it } from "vitest";

import { servicesFromOpenApi } from "../../../src/services/index.js";
import { serviceTools } from "../../../src/services/service-tools.js";
import { serving } from "../../support/local-server.js";
import { toolRun } from "../../support/tool-run.js";
import { documentOf } from "./documents.js";

const ours = "https://c.example/v2";

/** Where the operations of a document are called, or why they are not. */
function addresses(paths: object, servers: readonly string[], serverUrl?: string): string[] {
  const document = documentOf(paths, {}, { servers: servers.map((url) => ({ url })) });
  const { services, leftOut } = servicesFromOpenApi(document, { serverUrl });
  return [...services.map(({ request }) => request.url), ...leftOut.map(({ reason }) => reason)];
}

/** A path with a server of its own, and the id of its operation. */
function at(url: string, operationId: string): object {
  return { servers: [{ url }], get: { operationId } };
}

/** A path with a server of its own, and an operation in it that may have one, too. */
function pathAt(server: string, near?: string): object {
  const get = near === undefined ? {} : { servers: [{ url: near }] };
  return { "/a": { servers: [{ url: server }], get } };
}

/** Where `GET /a` of a document with these servers is called. */
function addressOf(server: unknown, near: unknown, serverUrl?: string): string | undefined {
  const paths = { "/a": { get: near === undefined ? {} : { servers: [{ url: near }] } } };
  const document = documentOf(paths, {}, { servers: server === undefined ? [] : [server] });
  const { services, leftOut } = servicesFromOpenApi(document, { serverUrl });
  return services[0]?.request.url ?? leftOut[0]?.reason;
}

describe("a server", () => {
  it.each([
    {
      name: "the document's",
      server: { url: "https://a.example/v1/" },
      url: "https://a.example/v1/a",
    },
    {
      name: "the operation's",
      server: { url: "https://a.example" },
      near: "https://b.example",
      url: "https://b.example/a",
    },
    {
      name: "the chosen one in place of the document's",
      server: { url: "https://a.example" },
      chosen: "https://c.example/v2",
      url: "https://c.example/v2/a",
    },
    {
      name: "the chosen one in place of the operation's, where it is the document's too",
      server: { url: "https://a.example/v1" },
      near: "https://a.example/v1/",
      chosen: "https://c.example",
      url: "https://c.example/a",
    },
    {
      name: "the chosen one in place of the one that all operations share",
      server: undefined,
      near: "https://b.example",
      chosen: "https://c.example",
      url: "https://c.example/a",
    },
    {
      name: "none where the operation has another one than the document, and one was chosen",
      server: { url: "https://a.example" },
      near: "https://b.example/v2",
      chosen: "https://c.example",
      url: "it has its own server, https://b.example/v2, which the chosen address does not replace",
    },
    {
      name: "none where the operation's has no scheme and names a host",
      server: { url: "https://a.example" },
      near: "//b.example",
      chosen: "https://c.example",
      url: "it has its own server, https://b.example, which the chosen address does not replace",
    },
    {
      name: "a relative one on the chosen one",
      server: undefined,
      near: "/up",
      chosen: "https://c.example/v2",
      url: "https://c.example/up/a",
    },
    {
      name: "the chosen one where there is none",
      server: undefined,
      chosen: "https://c.example?x=1",
      url: "https://c.example/a",
    },
    {
      name: "none where the document has only a relative one",
      server: { url: "/v1" },
      url: "the document names no server with a whole address: choose one",
    },
    {
      name: "none where a variable has no default",
      server: { url: "https://{host}/", variables: { host: {} } },
      url: 'its server\'s address has the variable "host" without a default',
    },
  ])("is $name", ({ server, near, chosen, url }) => {
    expect(addressOf(server, near, chosen)).toBe(url);
  });
});

it("nothing is sent to the servers of operations that differ, once an address was chosen", () => {
  const paths = {
    "/a": { get: { servers: [{ url: "https://a.example" }] } },
    "/b": { get: { servers: [{ url: "https://b.example" }] } },
  };
  const document = documentOf(paths, {}, { servers: [] });
  const { services, leftOut } = servicesFromOpenApi(document, { serverUrl: "https://c.example" });
  expect(services).toEqual([]);
  expect(leftOut).toHaveLength(2);
});

describe("a chosen address stands for the servers of paths and operations", () => {
  it.each<{ name: string; paths: object; servers: readonly string[]; url: string }>([
    {
      name: "that are the document's",
      paths: pathAt("https://a.example/"),
      servers: ["https://a.example"],
      url: `${ours}/a`,
    },
    {
      name: "that are any of the document's",
      paths: pathAt("https://b.example"),
      servers: ["https://a.example", "https://b.example"],
      url: `${ours}/a`,
    },
    {
      name: "that all share where the document has none",
      paths: pathAt("https://b.example"),
      servers: [],
      url: `${ours}/a`,
    },
    {
      name: "that are relative to the host",
      paths: pathAt("/up/"),
      servers: ["https://a.example"],
      url: "https://c.example/up/a",
    },
    {
      name: "that are relative to the folder",
      paths: pathAt("./v3"),
      servers: ["https://a.example"],
      url: "https://c.example/v3/a",
    },
    {
      name: "of an operation, before that of its path",
      paths: pathAt("https://b.example", "/near"),
      servers: ["https://a.example"],
      url: "https://c.example/near/a",
    },
  ])("$name", ({ paths, servers, url }) => {
    expect(addresses(paths, servers, ours)).toEqual([url]);
  });

  it.each<{ name: string; paths: object; own: string }>([
    {
      name: "of another host at a path",
      paths: pathAt("https://b.example/v2"),
      own: "https://b.example/v2",
    },
    {
      name: "of another host at an operation",
      paths: pathAt("/up", "https://b.example"),
      own: "https://b.example",
    },
    { name: "of another port", paths: pathAt("//c.example:8443"), own: "https://c.example:8443" },
    {
      name: "of the chosen host without https",
      paths: pathAt("http://c.example"),
      own: "http://c.example",
    },
    {
      name: "that begin with backslashes",
      paths: pathAt("\\\\b.example"),
      own: "https://b.example",
    },
    { name: "of a subdomain", paths: pathAt("https://x.c.example"), own: "https://x.c.example" },
    {
      name: "whose user name is the chosen host",
      paths: pathAt("https://c.example@b.example"),
      own: "https://c.example@b.example",
    },
  ])("but not those $name", ({ paths, own }) => {
    expect(addresses(paths, ["https://a.example"], ours)).toEqual([
      `it has its own server, ${own}, which the chosen address does not replace`,
    ]);
  });
});

it("without a chosen address, the server of an operation comes before that of its path", () => {
  const servers = ["https://a.example"];
  expect(addresses(pathAt("https://b.example"), servers)).toEqual(["https://b.example/a"]);
  expect(addresses(pathAt("https://b.example", "https://d.example"), servers)).toEqual([
    "https://d.example/a",
  ]);
});

it("credentials go to the chosen address alone, whatever servers a document has", async () => {
  const first = await serving((response) => void response.end("[]"));
  const other = await serving((response) => void response.end("[]"));
  const paths = {
    "/same": at("https://a.example", "same"),
    "/relative": at("/up", "relative"),
    "/other": at(other.url, "other"),
    "/none": { get: { operationId: "none" } },
  };
  const document = documentOf(
    paths,
    { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    { servers: [{ url: "https://a.example" }], security: [{ key: [] }] },
  );
  const { services, leftOut } = servicesFromOpenApi(document, { serverUrl: first.url });
  expect(leftOut.map(({ operation }) => operation)).toEqual(["other (GET /other)"]);
  const tools = serviceTools(services, {
    environment: { API_KEY: "key-value-0123" },
    allowHosts: [first.host, other.host],
  });
  const { observe } = toolRun(tools);
  for (const name of ["same", "relative", "none"]) await observe(name, {});
  expect(first.received.map(({ path, headers }) => [path, headers["x-key"]])).toEqual([
    ["/same", "key-value-0123"],
    ["/up/relative", "key-value-0123"],
    ["/none", "key-value-0123"],
  ]);
  expect(other.received).toEqual([]);
});
