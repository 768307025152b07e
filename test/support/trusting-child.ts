// A program that trusts the certificate that NODE_EXTRA_CA_CERTS names, which a process reads when it starts: it asks
// for the addresses that it is given, whose names all lead to this machine, and prints what came of each.
import { classifyError } from "../../src/run/errors.js";
import { guardedRequest } from "../../src/services/http/guarded-request.js";

const [, , ...urls] = process.argv;

for (const url of urls) {
  const answer = guardedRequest(
    { method: "GET", url, headers: {} },
    {
      allowHosts: ["127.0.0.1"],
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      maxBytes: 1_000,
      signal: new AbortController().signal,
    },
  );
  const told = answer.then(
    ({ text }) => text,
    (error: unknown) => {
      const { code } = Object(Reflect.get(Object(error), "cause"));
      return `${classifyError(error).kind} ${String(code)}`;
    },
  );
  process.stdout.write(`${await told}\n`);
}
