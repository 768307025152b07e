import { FakeEmbeddings } from "@langchain/core/utils/testing";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { searchable } from "../../src/index.js";
import { indexTools } from "../../src/tools/tool-index.js";

const make = (name: string, description: string, parameters: readonly string[] = []) =>
  tool(() => "", {
    name,
    description,
    schema: z.object(Object.fromEntries(parameters.map((each) => [each, z.string().optional()]))),
  });

const tools = [
  make("issues_create", "Creates an issue.", ["title", "body"]),
  make("issues_update", "Changes an issue, or its state.", ["state"]),
  make("issuesListComments", "Lists the comments on an issue."),
  make("orders.cancel", "Cancels an order."),
  make("refund", "退还订单的款项。", ["orderId"]),
  make("find_rooms", "查询会议室。"),
  make("weather", "The weather of a city.\n\nMentions rooms, comments and orders in its details."),
  make("sendMessage", "Sends a text to somebody.", ["recipientPhone"]),
];

describe("an index of tools", () => {
  it.each([
    ["open a new issue", "issues_create"],
    ["close the issue", "issues_update"],
    ["show all comments", "issuesListComments"],
    ["stop my order", "orders.cancel"],
    ["取消 order", "orders.cancel"],
    ["给这个订单退款", "refund"],
    ["查看会议室", "find_rooms"],
    ["what is the weather like", "weather"],
    ["phone", "sendMessage"],
    ["comments", "issuesListComments"],
  ])("%s → %s", (query, name) => {
    expect(indexTools(tools)(query)[0]).toBe(name);
  });

  it.each(["", "   ", "?!", "xylophone", "{{E1}}", "的"])("finds nothing for %j", (query) => {
    expect(indexTools(tools)(query)).toEqual([]);
  });

  it("of no tools finds nothing", () => {
    expect(indexTools([])("anything")).toEqual([]);
  });
});

describe("searchable", () => {
  const find = async (query: string, options: Parameters<typeof searchable>[1]) => {
    const search = searchable(tools, options).at(-1);
    return z.string().parse(await search?.invoke({ query }));
  };

  it("finds by meaning what shares no word, where there are embeddings", async () => {
    /** A vector for what is about money, another for all else. */
    class Meaning extends FakeEmbeddings {
      override async embedQuery(text: string) {
        return /money|款/.test(text) ? [1, 0] : [0, 1];
      }
      override async embedDocuments(texts: string[]) {
        return Promise.all(texts.map(async (text) => this.embedQuery(text)));
      }
    }
    expect(await find("give my money back", { limit: 1 })).not.toContain("refund");
    expect(await find("give my money back", { limit: 1, embeddings: new Meaning() })).toContain(
      "Found, and can be called now: refund.",
    );
  });

  it("finds by words where embeddings fail, and tries them again", async () => {
    let tries = 0;
    class Failing extends FakeEmbeddings {
      override async embedDocuments(): Promise<number[][]> {
        tries += 1;
        throw new Error("the server is away");
      }
    }
    const options = { limit: 1, embeddings: new Failing() };
    const search = searchable(tools, options).at(-1);
    for (let round = 0; round < 2; round += 1) {
      expect(await search?.invoke({ query: "weather" })).toContain("weather");
    }
    expect(tries).toBe(2);
  });

  it.each([
    { options: { always: ["weathr"] }, says: 'searchable: always: there is no tool "weathr".' },
    { options: { limit: 0 }, says: "searchable: limit: expected a whole number from 1 on, got 0." },
    { options: { limit: 1.5 }, says: "searchable: limit: expected a whole number" },
    { options: { lmit: 5 }, says: 'searchable: there is no "lmit". Did you mean limit?' },
  ])("refuses $says", ({ options, says }) => {
    expect(() => searchable(tools, options)).toThrow(says);
  });
});
