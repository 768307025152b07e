import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import { form, found, missing, text, tools } from "../support/look-ups.js";

const [
  first = form("look_up", { name: text }),
  census = form("census", { year: { type: "number" } }),
] = tools;
const search = form("search", { query: text, name: text });
const paged = {
  ...form("search", { name: text, page: { type: "integer" } }),
  parameters: {
    type: "object",
    properties: { name: text, page: { type: "integer" } },
    required: ["name"],
  },
};
const ofPoint = (question: string, given: Parameters<typeof openPoint>[1], ...calls: Calls) =>
  openPoint({ question, turns: [calls] }, given)?.of;
type Calls = readonly ReturnType<typeof found>[];

describe("a tool that cannot be called without a number", () => {
  const question = "Which is larger, Ossel or Renn?";

  it("is not offered where the question has none: a model would make one up", () => {
    expect(ofPoint(question, tools, found("Ossel"))).toEqual(["look_up"]);
  });

  it.each([
    {
      name: "where the question has a number",
      asked: "Which was larger in 2020, Ossel or Renn?",
      given: tools,
      of: ["look_up", "census"],
    },
    { name: "where there is no other", asked: question, given: [census], of: ["census"] },
    {
      name: "where it may be left out",
      asked: question,
      given: [first, paged],
      of: ["look_up", "search"],
    },
    {
      name: "where it needs only texts",
      asked: question,
      given: [first, search],
      of: ["look_up", "search"],
    },
  ])("is offered $name", ({ asked, given, of }) => {
    expect(ofPoint(asked, given, found("Ossel"))).toEqual(of);
  });

  it("is offered once the others found nothing", () => {
    const vain = missing("look_up", "Renn");
    expect(ofPoint(question, tools, found("Ossel"), vain)).toEqual(["census"]);
  });
});
