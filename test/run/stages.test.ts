import { expect, it } from "vitest";

import { type Next, stages } from "../../src/run/stages.js";

type Text = Next<string, string>;

it("runs stages in the order of the list, and back", async () => {
  const road = stages<string, string>()
    .through(async (request, next: Text) => `(${await next(`${request}1`)})`)
    .through(async (request, next: Text) => `[${await next(`${request}2`)}]`)
    .to(async (request) => request);
  expect(await road("0")).toBe("([012])");
});

it("lets a stage change the kind of request and of result, leave the rest out and call it again", async () => {
  const road = stages<string, string>()
    .through(async (request: string, next: Next<number, number>) => {
      if (request === "none") return "none";
      return `${(await next(1)) + (await next(2))}`;
    })
    .to(async (request: number) => request * 10);
  expect(await road("all")).toBe("30");
  expect(await road("none")).toBe("none");
});
