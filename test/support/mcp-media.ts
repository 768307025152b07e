import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** A picture of one pixel, in base64. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const five = Buffer.from("12345").toString("base64");
const image = { type: "image" as const, mimeType: "image/png", data: png };
const text = (said: string) => ({ type: "text" as const, text: said });
const resource = (
  fields: { readonly text: string } | { readonly blob: string },
  mimeType: string,
) => ({
  type: "resource" as const,
  resource: { uri: "pets://one", mimeType, ...fields },
});
const link = { type: "resource_link" as const, uri: "https://pets.example/list", name: "list" };

/** What a tool gives, and what a model is to hear of it. */
export type MediaResult = {
  readonly name: string;
  readonly result: CallToolResult;
  readonly told: RegExp;
  /** How many images a model is to see. */
  readonly images: number;
};

/** Results of every kind of content that the protocol has. */
export const mediaResults: readonly MediaResult[] = [
  { name: "image", result: { content: [image] }, told: /\[image\]/, images: 1 },
  {
    name: "image_and_text",
    result: { content: [text("The pet:"), image] },
    told: /The pet:\n\[image\]/,
    images: 1,
  },
  {
    name: "image_resource",
    result: { content: [resource({ blob: png }, "image/png")] },
    told: /\[image\]/,
    images: 1,
  },
  {
    name: "false_image",
    result: { content: [{ ...image, data: five }] },
    told: /image/,
    images: 0,
  },
  {
    name: "text_resource",
    result: { content: [resource({ text: "Rex,dog" }, "text/csv")] },
    told: /pets:\/\/one \(text\/csv\):\nRex,dog/,
    images: 0,
  },
  {
    name: "blob_resource",
    result: { content: [resource({ blob: five }, "application/pdf")] },
    told: /pets:\/\/one \(application\/pdf\): 5 bytes that are no text and cannot be read here/,
    images: 0,
  },
  {
    name: "empty_resource",
    result: { content: [resource({ text: "" }, "text/plain")] },
    told: /pets:\/\/one/,
    images: 0,
  },
  { name: "link", result: { content: [link] }, told: /https:\/\/pets\.example\/list/, images: 0 },
  {
    name: "sound",
    result: { content: [{ type: "audio", mimeType: "audio/wav", data: five }] },
    told: /audio/,
    images: 0,
  },
  {
    name: "everything",
    result: {
      content: [
        text("All:"),
        image,
        resource({ text: "Rex,dog" }, "text/csv"),
        resource({ blob: five }, "application/pdf"),
        link,
      ],
    },
    told: /All:\n\[image\]\npets:\/\/one \(text\/csv\):\nRex,dog\n\[pets:\/\/one \(application\/pdf\): 5 bytes[^\n]*\]\nhttps:\/\/pets\.example\/list: list/,
    images: 1,
  },
  { name: "nothing", result: { content: [] }, told: /no result/, images: 0 },
];
