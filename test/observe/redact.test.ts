import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  errorLine,
  errorText,
  keepSecret,
  keepSecrets,
  redact,
  withoutKnownSecrets,
} from "../../src/observe/redact.js";
import { unreadable } from "../support/unreadable-errors.js";

describe("redact", () => {
  it.each([
    { name: "an OpenAI key", text: "key sk-proj-CANARY0123456789abc is wrong" },
    { name: "an Anthropic key", text: "sk-ant-api03-CANARY0123456789" },
    {
      name: "a masked OpenAI key",
      text: "Incorrect API key provided: sk-CANAR********************ab12.",
    },
    { name: "a GitHub token", text: "ghp_CANARY0123456789abcdefghij" },
    { name: "a fine-grained GitHub token", text: "github_pat_CANARY0123456789" },
    { name: "a Google key", text: "AIzaCANARY0123456789abcdef" },
    { name: "an AWS key id", text: "AKIACANARY0123456789" },
    { name: "a Slack token", text: "xoxb-CANARY01234-5678901234" },
    { name: "a LangSmith key", text: "lsv2_pt_CANARY0123456789" },
    { name: "a JSON web token", text: "eyJCANARY012345.eyJzdWIiOiIxIn0.abc-DEF_123" },
    { name: "a bearer header", text: "Authorization: Bearer CANARY.0123" },
    {
      name: "a bearer token without digits",
      text: 'headers: {"authorization":"Bearer CANARYsecret"}',
    },
    { name: "basic credentials", text: "basic Q0FOQVJZOnNlY3JldA==CANARY" },
    { name: "a header without a scheme", text: "authorization=CANARYsecret" },
    { name: "a key header", text: "x-api-key: CANARYsecret" },
    { name: "an environment variable", text: "OPENAI_API_KEY=CANARYsecret" },
    { name: "a JSON field", text: '{"password": "CANARYsecret"}' },
    { name: "a client secret", text: "client_secret=CANARYsecret&grant=x" },
    { name: "a cookie", text: "Cookie: lang=de; sid=CANARYsecret; theme=CANARY" },
    { name: "a cookie that is set", text: '"set-cookie": "sid=CANARYsecret; Path=/"' },
    {
      name: "a private key",
      text: "-----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----",
    },
    { name: "a private key that was cut", text: "-----BEGIN PRIVATE KEY-----\nCANARY" },
    { name: "a bare secret", text: "secret: CANARYsecret" },
    { name: "a token in JSON", text: '{"token":"CANARYsecret"}' },
    { name: "an access token", text: '"access_token":"CANARYsecret"' },
    { name: "a password in an address", text: "postgres://user:CANARY@host/db failed" },
    { name: "a password with an @", text: "postgres://user:CANARY@CANARY@host/db failed" },
    { name: "a password without a user", text: "redis://:CANARY@host:6379" },
    { name: "a key in a query", text: "https://x.test/a?q=1&api_key=CANARYsecret&b=2" },
    { name: "a token in a query", text: "https://x.test/a?access_token=CANARYsecret" },
    { name: "an Azure signature", text: "https://x.test/a?sv=1&sig=CANARY%2Bsecret" },
    { name: "an AWS signature", text: "https://x.test/a?X-Amz-Signature=CANARYsecret" },
  ])("masks $name", ({ text }) => {
    const clean = redact(text);
    expect(clean).not.toContain("CANAR");
    expect(clean).toContain("[redacted]");
    expect(redact(clean)).toBe(clean);
  });

  it.each([
    { text: "Basic mathematics and bearer certificates" },
    { text: "skeletonization and skateboarding-events" },
    { text: "the cookie: it tells who you are" },
    { text: "the secret of the token economy" },
    { text: "ask-me-anything about risk-management-frameworks" },
    { text: "tokens: 4096, keys: 12" },
    { text: "https://example.test/a?page=2&sort=asc" },
    { text: "at 10:30 mail a@b.test, see http://host:8080/x" },
    { text: "北京的天气：晴，25度" },
  ])("leaves alone: $text", ({ text }) => {
    expect(redact(text)).toBe(text);
  });

  // Quadratic time would run into the test's time-out.
  it.each([
    "?a",
    "//a:",
    "sk-",
    "password ",
    "eyJaaaaaaaaa",
    "Bearer ",
    "authorization: a",
    "cookie: a=",
    "-----BEGIN PRIVATE KEY-----",
    "cookie: ",
    "sk",
    "a",
  ])("reads a long text of %j in linear time", (part) => {
    expect(redact(part.repeat(100_000))).not.toBe("");
  });
});

function zodError(): unknown {
  const schema = z.object({ city: z.string() });
  return schema.safeParse({ city: 3 }).error;
}

describe("errorLine", () => {
  it.each([
    { name: "an error's message", error: new Error("no such row"), line: "no such row" },
    { name: "no more than the first line", error: new Error("a\n    at f (x.ts:1)"), line: "a" },
    {
      name: "the first line that says something",
      error: new Error("\n  Invalid call\nb"),
      line: "Invalid call",
    },
    { name: "the name where there is no message", error: new RangeError(), line: "RangeError" },
    { name: "a thrown text", error: "out of paper", line: "out of paper" },
    { name: "a thrown object's message", error: { message: "m", code: 3 }, line: "m" },
    { name: "an object without a message", error: { code: 3 }, line: "an error without a message" },
    {
      name: "an object without a prototype",
      error: Object.create(null),
      line: "an error without a message",
    },
    {
      name: "an error whose message is no text",
      error: Object.assign(new Error("x"), { message: undefined }),
      line: "Error",
    },
    { name: "nothing", error: undefined, line: "undefined" },
    { name: "null", error: null, line: "null" },
    { name: "a symbol", error: Symbol("s"), line: "Symbol(s)" },
    {
      name: "a secret masked",
      error: new Error("Incorrect API key provided: sk-abcdefghijklmnop"),
      line: "Incorrect API key provided: [redacted]",
    },
  ])("gives $name", ({ error, line }) => {
    expect(errorLine(error)).toBe(line);
  });

  it("keeps what zod says, which stands on many lines", () => {
    expect(errorLine(zodError())).toContain("expected string, received number");
  });

  it("is cut at the length asked for", () => {
    expect(errorLine(new Error("x".repeat(500)))).toBe(`${"x".repeat(400)}…`);
    expect(errorLine(new Error("x".repeat(500)), 10)).toBe("xxxxxxxxxx…");
  });

  it("masks a secret before it cuts", () => {
    const error = new Error(`${"x".repeat(380)} sk-CANARYCANARYCANARYCANARYCANARY`);
    expect(errorLine(error)).not.toContain("CANARY");
  });
});

describe("errorText", () => {
  it.each([
    {
      name: "every line",
      error: new Error("Query failed:\ncolumn nmae does not exist\nHINT: name"),
      text: "Query failed:\ncolumn nmae does not exist\nHINT: name",
    },
    {
      name: "empty lines between blocks, and Windows' ends of lines",
      error: new Error("Could not find exact match for edit:\r\n\r\nconst a = 1;\n"),
      text: "Could not find exact match for edit:\n\nconst a = 1;",
    },
    {
      name: "the lines around a stack",
      error: new Error(
        "no row\n    at find (/srv/db.js:3:14)\n    at async <anonymous>\nHINT: key",
      ),
      text: "no row\nHINT: key",
    },
    {
      name: "indented words that are no stack",
      error: "expected\n   at least 3",
      text: "expected\n   at least 3",
    },
    { name: "the name where there is no message", error: new RangeError(), text: "RangeError" },
    { name: "a thrown text", error: "a\nb", text: "a\nb" },
    { name: "a thrown object's message", error: { message: "m\nn" }, text: "m\nn" },
    { name: "a thrown null", error: null, text: "null" },
    { name: "a thrown symbol", error: Symbol("s"), text: "Symbol(s)" },
  ])("tells $name", ({ error, text }) => {
    expect(errorText(error)).toBe(text);
  });

  it("masks a secret on any line, before it cuts", () => {
    const error = new Error(
      `first\n${"x".repeat(1_980)} sk-CANARYCANARYCANARYCANARYCANARY\n${"y".repeat(3_000)}`,
    );

    expect(errorText(error)).not.toContain("CANARY");
  });

  it("keeps the beginning and the end of a long one, and says how much is gone", () => {
    const text = errorText(new Error(`begin${"x".repeat(10_000)}end`));

    expect(text).toMatch(/^beginx{1995}\n… \[6008 of 10008 characters cut\] …\nx{1997}end$/);
  });
});

describe("an error that cannot be read", () => {
  it.each(unreadable)("is told as such: $name", ({ error }) => {
    expect(errorLine(error)).toMatch(/cannot be read|^Error$/);
    expect(errorText(error)).toMatch(/cannot be read|^Error$/);
  });
});

const told = () => redact("Invalid token hunter2secret for user");

/** Collects what nobody holds. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
}

describe("a key without a shape", () => {
  it("is masked for as long as one of its holders is there", async () => {
    const holder = {};
    keepSecret("hunter2secret", holder);
    (() => {
      keepSecret("hunter2secret", {});
    })();
    collect();
    await delay(20);
    expect(told()).toBe("Invalid token [redacted] for user");
    expect(holder).toEqual({});
  });

  it("is forgotten when none is left", async () => {
    await expect
      .poll(() => {
        collect();
        return told();
      })
      .toBe("Invalid token hunter2secret for user");
  });

  it("is no short word", () => {
    keepSecret("short", {});
    expect(redact("a short word")).toBe("a short word");
  });
});

describe("the secrets of an environment", () => {
  const holder = {};

  it("are masked wherever they stand, by the names of their variables", () => {
    keepSecrets(
      {
        SHOP_API_KEY: "kestrel-nine-meadow-4",
        AWS_SECRET_ACCESS_KEY: "wagtail/eleven+brook",
        DB_PASSWORD: "lapwing-two-hedge-8",
        HOME: "/home/of-nobody-known",
        PASSWORD: "passwordpassword",
        API_TOKEN: "short",
        SESSION_TOKEN: undefined,
      },
      holder,
    );
    const text =
      "kestrel-nine-meadow-4 wagtail/eleven+brook lapwing-two-hedge-8 /home/of-nobody-known passwordpassword short";
    const masked = "[redacted] [redacted] [redacted] /home/of-nobody-known passwordpassword short";
    expect(withoutKnownSecrets(text)).toBe(masked);
    expect(redact(text)).toBe(masked);
  });

  it.each([
    { name: "AZURE_OPENAI_KEY", value: "siskin-5-larch-copse", secret: "siskin-5-larch-copse" },
    { name: "DB_PASS", value: "redstart-6-quarry", secret: "redstart-6-quarry" },
    { name: "PASSPHRASE", value: "fieldfare 7 orchard", secret: "fieldfare 7 orchard" },
    { name: "GITHUB_PAT", value: "dotterel-8-plateau", secret: "dotterel-8-plateau" },
    { name: "DATABASE_URL", value: "pg://u:brambling-9@db/x", secret: "brambling-9" },
  ])("are known by the name $name", ({ name, value, secret }) => {
    keepSecrets({ [name]: value }, holder);
    expect(withoutKnownSecrets(`got ${secret}.`)).toBe("got [redacted].");
  });

  it.each([
    { name: "a path", variable: "TLS_KEY", value: "/etc/tls/of-nobody.pem" },
    { name: "a word as a password", variable: "DATABASE_URL", value: "pg://u:postgres@db/x" },
    { name: "an address without one", variable: "SITE_URL", value: "https://site.example:8080/x" },
  ])("are not $name", ({ variable, value }) => {
    keepSecrets({ [variable]: value }, holder);
    expect(withoutKnownSecrets(`see ${value}`)).toBe(`see ${value}`);
  });

  it("are taken out whole where one begins as another does", () => {
    keepSecrets({ A_TOKEN: "dunlin-4-mudflat", B_TOKEN: "dunlin-4-mudflat-south" }, holder);
    expect(withoutKnownSecrets("dunlin-4-mudflat-south")).toBe("[redacted]");
  });

  it("alone are taken out of what a tool brings: what only looks like one stays", () => {
    keepSecret("goldcrest-5-thicket", holder);
    const link = "https://files.example/a?token=abcdef123456 goldcrest-5-thicket";
    expect(withoutKnownSecrets(link)).toBe("https://files.example/a?token=abcdef123456 [redacted]");
  });
});
