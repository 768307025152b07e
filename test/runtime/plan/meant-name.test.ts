import { describe, expect, it } from "vitest";

import { meantName } from "../../../src/runtime/plan/meant-name.js";

const bridge =
  "The Chain Bridge was opened in 1906. It is 432 metres long, stands on 13 arches and was built by Tarrant Glass.";
const firm =
  "Belwin Mills, founded in 1865, has its seat in Millrow. It is headed by Greta Voss and owns 21 barges.";
const tower = "Bell Tower. height_m=58; built=1890; steps=392; district=Harbour End.";

describe("the name that was asked for", () => {
  it.each([
    {
      name: "the only one that the call did not hold",
      asked: {
        args: { name: "Chain Bridge" },
        content: bridge,
        purpose: "What is the Chain Bridge?",
      },
      meant: "Tarrant Glass",
    },
    {
      name: "in data of a text",
      asked: { args: { name: "Bell Tower" }, content: tower, purpose: "" },
      meant: "Harbour End",
    },
    {
      name: "beside the words of its purpose",
      asked: { args: { name: "Belwin Mills" }, content: firm, purpose: "Who heads Belwin Mills" },
      meant: "Greta Voss",
    },
    {
      name: "beside the words of the step that takes it",
      asked: {
        args: { name: "Belwin Mills" },
        content: firm,
        purpose: "Belwin Mills",
        aim: "How many people live where its seat is",
      },
      meant: "Millrow",
    },
    {
      name: "in the field that was asked for",
      asked: {
        args: { name: "Ashgate" },
        content: "",
        value: { name: "Ashgate", elder: "Ida Marsh", school: "Lantern School" },
        purpose: "The elder of Ashgate",
      },
      meant: "Ida Marsh",
    },
    {
      name: "with a small word in it",
      asked: { args: {}, content: "It was founded by the Bank of England.", purpose: "" },
      meant: "Bank of England",
    },
  ])("is $meant: $name", ({ asked, meant }) => {
    expect(meantName(asked)).toBe(meant);
  });

  it.each([
    { name: "there is none", args: {}, content: "It is 432 metres long." },
    { name: "nothing was found", args: { name: "elder" }, content: 'The handbook has no "elder".' },
    {
      name: "only that of the call is there",
      args: { name: "Chain Bridge" },
      content: "The Chain Bridge is long.",
    },
    {
      name: "a shorter form of it is there",
      args: { name: "The Swan Bridge" },
      content: "We know Swan Bridge.",
    },
    { name: "two are there", args: { name: "Belwin Mills" }, content: firm },
    {
      name: "it may be any word at the beginning",
      args: {},
      content: "Closed after dark. Open again at ten.",
    },
    {
      name: "every noun has a capital",
      args: {},
      content: "Sie hat drei Bögen und einen Turm aus Stein.",
    },
  ])("is left to a model where $name", ({ args, content }) => {
    expect(meantName({ purpose: "", args, content })).toBeUndefined();
  });
});
