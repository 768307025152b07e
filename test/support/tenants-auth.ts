// The authorization of the server of test/server/tenants.test.ts: a user sees what is their own.
import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

/** A user is who has a token of that name. */
export const auth = new Auth()
  .authenticate((request) => {
    const [, user] = /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    if (user === undefined) throw new HTTPException(401, { message: "Who are you?" });
    return { identity: user, permissions: user === "operator" ? ["metrics"] : [] };
  })
  .on("*", ({ value, user }) => {
    if ("metadata" in value) value.metadata = { ...value.metadata, owner: user.identity };
    return { owner: user.identity };
  });
