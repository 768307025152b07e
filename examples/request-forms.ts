// What a definition can say of a request and its answer: one service for each form, in examples/request-forms, called in one
// run. The server says what it was sent; secrets are masked in all that a run tells.
// Run it: npx tsx examples/request-forms.ts
import { createReactGraph } from "plangraph";
import { loadServices } from "plangraph/services";
import { scriptedModel } from "plangraph/testing";

import { startEcho } from "./request-forms/server.js";

const server = await startEcho();
const tools = await loadServices(["examples/request-forms"], {
  environment: {
    ECHO_URL: server.url,
    ECHO_KEY: "key-of-the-shop",
    ECHO_APP: "app-of-the-shop",
    ECHO_USER: "ann:pass-of-ann",
  },
  allowHosts: [server.host],
  // The server is the program's own: its results are no text of strangers.
  policy: { trust: "trusted", needsApproval: false },
});

const models = scriptedModel([
  {
    toolCalls: [
      {
        name: "query",
        args: {
          shelf: ["a", "b/c"],
          ids: [1, 2],
          tags: ["new", "red"],
          filter: { price: { max: 5 } },
          language: "de",
          theme: "dark; sid=mine",
        },
      },
      { name: "json", args: { title: "Tea", tags: ["new", 1] } },
      { name: "form", args: { title: "Tea & cake", size: { x: 1, y: 2 } } },
      { name: "text", args: { note: "<note>Tea</note>" } },
      { name: "pages", args: {} },
      { name: "refused", args: {} },
      { name: "photo", args: {} },
    ],
  },
  // The model gives the photo on by the name that it read.
  (messages) => {
    const [photo] = messages.flatMap(({ text }) => /file_\w+\.png/.exec(text) ?? []);
    return {
      toolCalls: [{ name: "upload", args: { title: "Cup", photo, note: "A cup of tea." } }],
    };
  },
  "Done.",
]);

const { observations } = await createReactGraph({ models, tools }).invoke({
  messages: [{ role: "user", content: "Show each form of a request." }],
});
// The name of a file is new in each run.
const shown = (line: unknown) =>
  `  ${String(line).replaceAll("\n", "\n  ")}`.replace(/_\w{16}/, "_…");
for (const { tool, ok, content, error, value } of observations) {
  const lines = Array.isArray(value) && tool !== "pages" ? value : [error?.message ?? content];
  console.log(`${tool}${ok ? "" : " was refused"}:`);
  console.log(lines.map(shown).join("\n"));
}
server.close();

/* prints:
query:
  GET /items/.a.b%2Fc?limit=10&ids=1&ids=2&tags=new%2Cred&filter%5Bprice%5D%5Bmax%5D=5
  cookie: theme=dark%3B%20sid%3Dmine; sid=[redacted]
  accept-language: de
json:
  POST /items
  content-type: application/json
  authorization: Bearer [redacted]
  {"source":"agent","title":"Tea","tags":["new",1]}
form:
  POST /items?app=[redacted]
  content-type: application/x-www-form-urlencoded
  x-key: [redacted]
  title=Tea+%26+cake&size%5Bx%5D=1&size%5By%5D=2
text:
  PUT /note
  content-type: application/xml
  authorization: Basic [redacted]
  <note>Tea</note>
pages:
  [{"id":1,"user":{"name":"user 1"}},{"id":2,"user":{"name":"user 2"}},{"id":3,"user":{"name":"user 3"}}]
  x-total: 3
refused was refused:
  The shop is closed.
photo:
  [image]
  (A tool that takes a file can be given this one: "file_….png".)
upload:
  POST /files
  content-type: multipart/form-data; boundary=…
  title = Cup
  photo = file_….png (image/png, 70 bytes)
  note = file.txt (text/plain, 13 bytes)
*/
