import { expect, it } from "vitest";

import { mcpContent } from "../../../src/services/mcp/content.js";

const png = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const resource = (fields: object) => ({ type: "resource", resource: fields });
const pdf = {
  uri: "file:///a.pdf",
  mimeType: "application/pdf",
  blob: Buffer.from("12345").toString("base64"),
};

it.each<{ name: string; content: unknown; artifacts?: unknown; read: unknown }>([
  { name: "a string", content: "Done.", read: "Done." },
  { name: "one text block", content: { type: "text", text: "Done." }, read: "Done." },
  { name: "no content at all", content: [], read: "" },
  {
    name: "several texts, on lines of their own",
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
    read: "one\ntwo",
  },
  {
    name: "a text with an embedded text file",
    content: "successfully downloaded text file",
    artifacts: [resource({ uri: "repo://a/b.md", mimeType: "text/markdown", text: "# B" })],
    read: "successfully downloaded text file\nrepo://a/b.md (text/markdown):\n# B",
  },
  {
    name: "nothing but an embedded text file",
    content: [],
    artifacts: [resource({ uri: "repo://a", text: "alpha" })],
    read: "repo://a:\nalpha",
  },
  {
    name: "a binary file that is told, not dropped",
    content: [],
    artifacts: [resource(pdf)],
    read: "[file:///a.pdf (application/pdf): 5 bytes that are no text and cannot be read here]",
  },
  {
    name: "a resource without content",
    content: [],
    artifacts: [resource({ uri: "repo://a" })],
    read: "[repo://a: it has no content]",
  },
  {
    name: "an image as a resource",
    content: [],
    artifacts: [resource({ uri: "file:///a.png", mimeType: "image/png", blob: "AAAA" })],
    read: [png],
  },
  {
    name: "an image beside a text",
    content: [{ type: "text", text: "The chart:" }, png],
    read: [{ type: "text", text: "The chart:" }, png],
  },
  {
    name: "a link, as its URI",
    content: [
      { type: "file", source_type: "url", url: "https://a.example/b", mime_type: "text/html" },
    ],
    read: "https://a.example/b (text/html)",
  },
  {
    name: "a text resource as the adapters hand it on as content",
    content: [{ type: "file", source_type: "text", text: "alpha", metadata: { uri: "repo://a" } }],
    read: "repo://a:\nalpha",
  },
  {
    name: "a binary resource as the adapters hand it on as content",
    content: [
      { type: "file", source_type: "base64", data: pdf.blob, mime_type: "application/zip" },
    ],
    read: "[a resource (application/zip): 5 bytes that are no text and cannot be read here]",
  },
  {
    name: "an image in the protocol's form",
    content: [{ type: "image", mimeType: "image/png", data: "AAAA" }],
    read: [png],
  },
  {
    name: "a recording in the protocol's form",
    content: [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }],
    read: [{ type: "audio", source_type: "base64", mime_type: "audio/wav", data: "AAAA" }],
  },
  {
    name: "a link in the protocol's form, with its address and what is said of it",
    content: [
      { type: "resource_link", uri: "repo://a", name: "a", description: "The first letter" },
      { type: "resource_link", uri: "repo://b", mimeType: "text/plain" },
    ],
    read: "repo://a: a, The first letter\nrepo://b (text/plain)",
  },
  {
    name: "a type that nobody knows",
    content: [{ type: "hologram", data: "x" }],
    read: '[content of the type "hologram", which cannot be read here]',
  },
  {
    name: "structured content and metadata, which are no content",
    content: { type: "text", text: "It costs 40.", structuredContent: { price: 40 } },
    artifacts: [
      { type: "mcp_structured_content", data: { price: 40 } },
      { type: "mcp_meta", data: { a: 1 } },
    ],
    read: "It costs 40.",
  },
])("MCP content is read: $name", ({ content, artifacts, read }) => {
  expect(mcpContent(content, artifacts)).toEqual(read);
});
