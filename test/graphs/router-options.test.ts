import { describe, expect, it } from "vitest";

import { createReactGraph, createRouterGraph, type Route } from "../../src/index.js";

const graph = createReactGraph();
const route: Route = { description: "Sums.", graph };
const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

type Case = {
  readonly name: string;
  readonly routes: { readonly [name: string]: Route };
  readonly message: RegExp;
};

const refusedRoutes: readonly Case[] = [
  { name: "no routes", routes: {}, message: /at least one route/ },
  { name: "a name that is none for a node", routes: { "a:b": route }, message: /"a:b"/ },
  {
    name: "a name that begins with a figure",
    routes: { 1: route },
    message: /"1" is not usable/,
  },
  { name: "a node's name", routes: { intake: route }, message: /"intake" is taken/ },
  { name: "a node's name in another case", routes: { Router: route }, message: /"Router" is t/ },
  { name: "a state key's name", routes: { answer: route }, message: /"answer" is taken/ },
  { name: "the word for no route", routes: { unclear: route }, message: /"unclear" is taken/ },
  { name: "the word for asking", routes: { ask: route }, message: /"ask" is taken/ },
  { name: "a name of every object", routes: { toString: route }, message: /"toString" is taken/ },
  {
    name: "names that differ by case only",
    routes: { law: route, Law: route },
    message: /named "Law".*more than case/,
  },
  {
    name: "an empty description",
    routes: { law: { ...route, description: " " } },
    message: /routes\.law\.description/,
  },
];

describe("a router graph", () => {
  it.each(refusedRoutes)("is refused with $name", ({ routes, message }) => {
    expect(() => createRouterGraph({ routes })).toThrow(refused("invalid_option", message));
  });

  it("is refused with a rule that is neither pattern nor function", () => {
    const law = { ...route };
    Reflect.set(law, "when", "law");
    const expected = refused("invalid_option", /routes\.law\.when: .*got string/);
    expect(() => createRouterGraph({ routes: { law } })).toThrow(expected);
  });

  it("is refused with a default that is no route", () => {
    const options = { routes: { law: route } };
    Reflect.set(options, "unclear", "laws");
    const expected = refused("invalid_option", /unclear: expected one of "ask", "law", got "laws"/);
    expect(() => createRouterGraph(options)).toThrow(expected);
  });

  it("is refused with a graph that is not of plangraph", () => {
    const foreign = { invoke: () => graph.invoke({ messages: [] }) };
    const expected = refused("not_a_plangraph", /routes\.law\.graph/);
    expect(() => createRouterGraph({ routes: { law: { ...route, graph: foreign } } })).toThrow(
      expected,
    );
  });

  it("is refused with options of a run that cannot be", () => {
    const expected = refused("invalid_option", /limits\.modelCalls/);
    expect(() => createRouterGraph({ routes: { law: route }, limits: { modelCalls: -1 } })).toThrow(
      expected,
    );
  });

  it("has a node for each route, named for it", () => {
    const made = createRouterGraph({ routes: { law: route, Höhere_Mathematik: route } });
    expect(Object.keys(made.nodes)).toEqual(
      expect.arrayContaining(["intake", "router", "law", "Höhere_Mathematik", "finalizer"]),
    );
  });
});
