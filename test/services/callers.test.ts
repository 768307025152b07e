import { createServer } from "node:http";

import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import {
  clientCredentials,
  type CredentialSource,
  refreshedCredentials,
  serviceTools,
} from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { watching } from "../support/watching.js";

/** A server that says whose token it got, and keeps all requests. */
async function startServer(
  answer: (path: string, body: string) => [number, string] = () => [200, "{}"],
) {
  const requests: { path: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString("utf8");
    });
    request.on("end", () => {
      const { authorization } = request.headers;
      requests.push({ path: request.url ?? "", authorization, body });
      const [status, text] = answer(request.url ?? "", body);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const host = `127.0.0.1:${port}`;
  return { url: `http://${host}`, host, requests };
}

type Server = Awaited<ReturnType<typeof startServer>>;

const environment = { SHOP_TOKEN: "token-of-the-program" };

function tools(server: Server, source: CredentialSource, more: object = {}) {
  const definition = {
    name: "orders",
    description: "Lists the orders of the caller.",
    request: { url: `${server.url}/orders`, auth: { type: "bearer", env: "SHOP_TOKEN", ...more } },
  } as const;
  return serviceTools([definition], {
    environment,
    allowHosts: [server.host],
    credentials: { SHOP_TOKEN: source },
  });
}

const call = { toolCalls: [{ name: "orders", args: {} }] };
const question = { messages: [{ role: "user", content: "My orders?" }] };
const User = z.object({ user: z.string() });
const tokenOf: CredentialSource = ({ configurable }) =>
  `token-of-user-${User.parse(configurable).user}`;

describe("the credentials of the person for whom a run works", () => {
  it("go with each call of two people side by side, and into nothing else", async () => {
    const server = await startServer(() => [200, JSON.stringify({ orders: 1 })]);
    const { observer, events } = watching();
    const graph = createReactGraph({
      models: scriptedModel((messages) => (messages.at(-1)?.type === "tool" ? "One." : call)),
      tools: tools(server, async (request) => {
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
        return tokenOf(request);
      }),
      observers: [observer],
      checkpointer: new MemorySaver(),
    });
    const users = ["ann", "ben"];
    const results = await Promise.all(
      users.map(async (user) =>
        graph.invoke(question, { configurable: { user, thread_id: user } }),
      ),
    );
    expect(server.requests).toHaveLength(2);
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer token-of-user-ann", "Bearer token-of-user-ben"]),
    );
    const states = await Promise.all(
      users.map(async (user) => graph.getState({ configurable: { thread_id: user } })),
    );
    expect(JSON.stringify([results, states, events])).not.toMatch(/token-of-/);
  });

  it("are asked for again with every call, also after a pause", async () => {
    const server = await startServer();
    let round = 0;
    const rotating: CredentialSource = () => `rotating-token-${(round += 1)}`;
    const checkpointer = new MemorySaver();
    const made = (replies: Parameters<typeof scriptedModel>[0]) =>
      createReactGraph({
        models: scriptedModel(replies),
        tools: tools(server, rotating),
        toolPolicies: { orders: { needsApproval: true } },
        checkpointer,
      });
    const thread = { configurable: { thread_id: "t" } };
    await made([call]).invoke(question, thread);
    expect(round).toBe(0);
    const resume = { decisions: [{ type: "approve" }] };
    await made(["Done."]).invoke(new Command({ resume }), thread);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer rotating-token-1",
    ]);
  });

  it.each<{ name: string; source: CredentialSource; kind: string }>([
    { name: "gives none", source: () => undefined, kind: "missing_credential" },
    { name: "gives a blank", source: async () => "  ", kind: "missing_credential" },
    {
      name: "throws",
      source: () => {
        throw new Error("no session for secret-word-of-the-vault");
      },
      kind: "missing_credential",
    },
    {
      name: "is out of reach",
      source: async () => {
        throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      },
      kind: "unavailable",
    },
  ])("are missing before anything is sent where the source $name", async ({ source, kind }) => {
    const server = await startServer();
    const graph = createReactGraph({
      models: scriptedModel([call, "I cannot."]),
      tools: tools(server, source),
    });
    const { observations } = await graph.invoke(question);
    expect(observations[0]).toMatchObject({ ok: false, error: { kind } });
    expect(server.requests).toEqual([]);
    expect(JSON.stringify(observations)).not.toContain("secret-word-of-the-vault");
  });

  it("that are optional are left out where there are none", async () => {
    const server = await startServer();
    const graph = createReactGraph({
      models: scriptedModel([call, "Done."]),
      tools: tools(server, () => undefined, { optional: true }),
    });
    await graph.invoke(question);
    expect(server.requests).toMatchObject([{ authorization: undefined }]);
  });

  it("are masked where the service says them", async () => {
    const server = await startServer(() => [
      400,
      JSON.stringify({ message: "token-of-user-ann has expired" }),
    ]);
    const graph = createReactGraph({
      models: scriptedModel([call, "I cannot."]),
      tools: tools(server, tokenOf),
    });
    const result = await graph.invoke(question, { configurable: { user: "ann" } });
    expect(JSON.stringify(result)).not.toContain("token-of-user-ann");
  });
});

const oauth = (server: Server) => ({
  tokenUrl: `${server.url}/token`,
  clientId: "CLIENT_ID",
  clientSecret: "CLIENT_SECRET",
  environment: { CLIENT_ID: "shop", CLIENT_SECRET: "the-secret-of-the-client" },
  allowHosts: [server.host],
});
const token = (fields: object) => JSON.stringify({ token_type: "Bearer", ...fields });

describe("OAuth", () => {
  const request = {
    service: "orders",
    name: "SHOP_TOKEN",
    context: undefined,
    configurable: {},
    signal: new AbortController().signal,
  };

  it("fetches one token for calls side by side, and another before it expires", async () => {
    let issued = 0;
    const server = await startServer(() => {
      issued += 1;
      return [
        200,
        token({ access_token: `access-${issued}`, expires_in: issued === 1 ? 31 : 3_600 }),
      ];
    });
    const source = clientCredentials({ ...oauth(server), scope: "orders" });
    expect(await Promise.all([source(request), source(request)])).toEqual(["access-1", "access-1"]);
    expect(server.requests).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(server.requests[0]?.body))).toEqual({
      client_id: "shop",
      client_secret: "the-secret-of-the-client",
      scope: "orders",
      grant_type: "client_credentials",
    });
    await new Promise((resolve) => {
      setTimeout(resolve, 1_100);
    });
    expect(await source(request)).toBe("access-2");
    expect(await source(request)).toBe("access-2");
  });

  it("refreshes the token of each person, and keeps the one that replaces it", async () => {
    const server = await startServer((_, body) => {
      const given = new URLSearchParams(body).get("refresh_token");
      return [
        200,
        token({
          access_token: `access-by-${given}`,
          refresh_token: `next-${given}`,
          expires_in: 3_600,
        }),
      ];
    });
    const kept = new Map([
      ["ann", "r-ann"],
      ["ben", "r-ben"],
    ]);
    const source = refreshedCredentials({
      ...oauth(server),
      load: async ({ configurable }) => {
        const { user: owner } = User.parse(configurable);
        const refreshToken = kept.get(owner);
        return refreshToken === undefined ? undefined : { owner, refreshToken };
      },
      save: async (owner, refreshToken) => {
        kept.set(owner, refreshToken);
      },
    });
    const ask = async (user: string) => source({ ...request, configurable: { user } });
    expect(await Promise.all([ask("ann"), ask("ben"), ask("ann")])).toEqual([
      "access-by-r-ann",
      "access-by-r-ben",
      "access-by-r-ann",
    ]);
    expect(await ask("eve")).toBeUndefined();
    expect(Object.fromEntries(kept)).toEqual({ ann: "next-r-ann", ben: "next-r-ben" });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    {
      name: "refuses",
      status: 400,
      text: '{"error":"invalid_client","hint":"the-secret-of-the-client"}',
      kind: "unauthorized",
    },
    { name: "is down", status: 503, text: "", kind: "unavailable" },
    { name: "limits", status: 429, text: "", kind: "rate_limited" },
    { name: "gives no token", status: 200, text: "{}", kind: "unauthorized" },
    { name: "gives a page", status: 200, text: "<html>", kind: "unauthorized" },
  ])("tells no secret where the server $name, and tries again", async ({ status, text, kind }) => {
    const server = await startServer(() => [status, text]);
    const source = clientCredentials(oauth(server));
    for (let round = 0; round < 2; round += 1) {
      const failed = await Promise.resolve(source(request)).catch((error: unknown) => error);
      expect(failed).toMatchObject({ kind });
      expect(String(failed)).not.toContain("the-secret-of-the-client");
    }
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    { change: { tokenUrl: "nowhere" }, says: "tokenUrl: expected a web address" },
    { change: { clientId: "UNSET" }, says: "the environment variable UNSET is not set" },
    { change: { clientSecret: "UNSET" }, says: "the environment variable UNSET is not set" },
    { change: { scop: "a" }, says: 'there is no "scop"' },
  ])("refuses options: $says", async ({ change, says }) => {
    const server = await startServer();
    expect(() => clientCredentials({ ...oauth(server), ...change })).toThrow(says);
  });
});
