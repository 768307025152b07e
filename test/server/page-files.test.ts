import { expect, it } from "vitest";

import { isPageFile } from "../../src/server/pages/page-files.js";

it.each([
  { method: "GET", path: "/chat", isFile: true },
  { method: "HEAD", path: "/chat/0199-ab", isFile: true },
  { method: "GET", path: "/trace/1234", isFile: true },
  { method: "GET", path: "/runs", isFile: true },
  { method: "GET", path: "/page/main.js", isFile: true },
  // What says something of somebody is behind the authorization.
  { method: "POST", path: "/runs", isFile: false },
  { method: "GET", path: "/traces", isFile: false },
  { method: "GET", path: "/traces/1234", isFile: false },
  { method: "GET", path: "/runs/crons", isFile: false },
  { method: "GET", path: "/threads/1", isFile: false },
  { method: "GET", path: "/metrics", isFile: false },
  { method: "GET", path: "/page/../threads", isFile: false },
  { method: "GET", path: "/page/a/b.js", isFile: false },
  { method: "GET", path: "/chat/a/b", isFile: false },
])("$method $path is the page's own: $isFile", ({ method, path, isFile }) => {
  expect(isPageFile(method, path)).toBe(isFile);
});
