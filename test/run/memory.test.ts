import { getEventListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { checkMemory, type Memory, memorySources, openMemory } from "../../src/run/memory.js";
import { runScope } from "../support/run-scope.js";

const bound = { context: { user: "u1" }, configurable: { thread_id: "t" }, timeoutMs: 40 };

/** A run's memory with these providers, and what its events were. */
function memoryWith(providers: Memory, signal = new AbortController().signal) {
  const { run, events } = runScope();
  const memory = openMemory(memorySources(providers, bound), undefined).at({
    signal: () => signal,
    store: undefined,
    clock: run.clock,
    emit: run.emit,
  });
  return { memory, events };
}

/** A provider of a program without types. */
const untyped = (said: unknown): Memory => {
  const providers = { order: () => said };
  const memory: Memory = JSON.parse("{}");
  return Object.assign(memory, providers);
};

describe("what a provider says", () => {
  it.each([
    { said: "Cake.", known: { text: "Cake." } },
    { said: "  Cake.\n", known: { text: "Cake." } },
    {
      said: { text: "Cake.", ids: { orderId: "5521" } },
      known: { text: "Cake.", ids: { orderId: "5521" } },
    },
    { said: { text: "Cake.", ids: {} }, known: { text: "Cake." } },
    { said: { ids: { orderId: 5521 } }, known: { text: "", ids: { orderId: 5521 } } },
    { said: { ids: { orderId: 1, shop: undefined } }, known: { text: "", ids: { orderId: 1 } } },
    { said: undefined, known: undefined },
    { said: null, known: undefined },
    { said: "", known: undefined },
    { said: {}, known: undefined },
    { said: "\uD83D", known: { text: "\uFFFD" } },
    { said: 5521, failed: "expected a text, { text, ids } or nothing, got a number" },
    { said: [], failed: "expected a text, { text, ids } or nothing, got a list" },
    { said: { text: 5 }, failed: "expected a text, { text, ids } or nothing, got an object with" },
    { said: { ids: 5521 }, failed: "expected ids by name, got a number" },
    { said: { ids: { orderId: null } }, failed: "expected ids.orderId to be a text or a number" },
    { said: { ids: { orderId: NaN } }, failed: "expected ids.orderId to be a text or a number" },
  ])("is read: $said", async ({ said, known, failed }) => {
    const { memory } = memoryWith(untyped(said));

    await memory.refresh();

    const value = memory.values().get("order");
    const why = { failed: expect.stringContaining(failed ?? "") };
    expect(value).toEqual(failed === undefined ? known : why);
    expect(memory.texts().join("")).not.toContain("5521");
  });

  it("is cut where it is long", async () => {
    const { memory } = memoryWith({ order: () => "x".repeat(5_000) });

    await memory.refresh();

    expect(memory.texts()).toEqual([`${"x".repeat(2_000)}… (3000 characters more)`]);
  });
});

const never = () => new Promise<string>(() => {});

describe("a provider that fails", () => {
  const rows: { readonly name: string; readonly order: () => Promise<string>; why: string }[] = [
    { name: "never ends, whatever its signal says", order: never, why: "no answer within 0.04 s" },
    {
      name: "throws at once",
      order: () => {
        throw new Error("the shop is closed");
      },
      why: "the shop is closed",
    },
    {
      name: "throws an object",
      order: () => Promise.reject(Object.assign(new Error(""), { code: 5 })),
      why: "Error",
    },
    {
      name: "throws a key",
      order: async () => {
        throw new Error("401 for sk-aaaaaaaaaaaaaaaaaaaaaaaa");
      },
      why: "401 for [redacted]",
    },
  ];
  it.each(rows)("$name", async ({ order, why }) => {
    const { memory, events } = memoryWith({ order, profile: () => "Member." });

    await memory.refresh();

    expect(memory.values().get("order")).toEqual({ failed: why });
    expect(memory.texts()).toEqual(["Member."]);
    expect(memory.record().memory).toEqual({ profile: { text: "Member." } });
    expect(events).toEqual([
      {
        type: "memory_read",
        names: ["order", "profile"],
        failed: ["order"],
        ms: 0,
        content: { texts: { profile: "Member." }, errors: { order: why } },
      },
    ]);
  });

  it("leaves nothing of what it said before", async () => {
    let asked = 0;
    const order = () => {
      asked += 1;
      if (asked === 2) throw new Error("no");
      return { text: `Order ${asked}.`, ids: { orderId: asked } };
    };
    const { memory } = memoryWith({ order });

    const seen = [];
    for (let round = 0; round < 3; round += 1) {
      await memory.refresh();
      seen.push(memory.record().memory);
    }

    expect(seen).toEqual([
      { order: { text: "Order 1.", ids: { orderId: 1 } } },
      undefined,
      { order: { text: "Order 3.", ids: { orderId: 3 } } },
    ]);
  });
});

describe("a refresh", () => {
  it("asks all providers side by side, with the run's context", async () => {
    let running = 0;
    let most = 0;
    const requests: unknown[] = [];
    const slow: Memory[string] = async ({ context, configurable }) => {
      requests.push({ context, configurable });
      running += 1;
      most = Math.max(most, running);
      await wait(5);
      running -= 1;
      return "Known.";
    };
    const { memory } = memoryWith({ order: slow, profile: slow, shop: slow });

    await memory.refresh();

    expect(most).toBe(3);
    expect(requests).toEqual(
      [1, 2, 3].map(() => ({ context: { user: "u1" }, configurable: { thread_id: "t" } })),
    );
  });

  it("rejects with the run's abort, leaves nothing behind and says nothing", async () => {
    const controller = new AbortController();
    const { memory, events } = memoryWith({ order: never }, controller.signal);

    const refreshed = memory.refresh();
    controller.abort(new Error("called off"));

    await expect(refreshed).rejects.toThrow("called off");
    await expect(memory.refresh()).rejects.toThrow("called off");
    expect(events).toEqual([]);
    expect(memory.values().size).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("asks a provider that keeps what it says until it has said something", async () => {
    let asked = 0;
    const provide = () => {
      asked += 1;
      if (asked === 1) throw new Error("no");
      return `Shop ${asked}.`;
    };
    const { memory, events } = memoryWith({ shop: { provide, keep: true } });

    for (let round = 0; round < 4; round += 1) await memory.refresh();

    expect(asked).toBe(2);
    expect(memory.texts()).toEqual(["Shop 2."]);
    expect(events).toHaveLength(2);
  });
});

describe("a record", () => {
  it("seeds the memory of its run once, and what is kept is not asked again", async () => {
    let asked = 0;
    const provide = () => {
      asked += 1;
      return "Another shop.";
    };
    const { memory } = memoryWith({ shop: { provide, keep: true }, order: () => "Order 2." });

    memory.seed("run-1", {
      memory: { shop: { text: "The Berlin shop." }, order: { text: "Order 1." } },
    });
    expect(memory.texts()).toEqual(["The Berlin shop.", "Order 1."]);

    await memory.refresh();
    memory.seed("run-1", { memory: { order: { text: "Order 0." } } });

    expect(memory.texts()).toEqual(["The Berlin shop.", "Order 2."]);
    expect(asked).toBe(0);
  });
});

describe("a fork", () => {
  it("begins with what is known, keeps what it learns, and its own names win", async () => {
    let round = 0;
    const { memory } = memoryWith({
      order: () => {
        round += 1;
        return `Order ${round}.`;
      },
      shop: () => "Shop.",
    });
    await memory.refresh();
    const own = memorySources({ shop: () => "Its own shop." }, bound);

    const fork = memory.fork(own);
    expect(fork.texts()).toEqual(["Order 1."]);
    await fork.refresh();

    expect(fork.texts()).toEqual(["Its own shop.", "Order 2."]);
    expect(memory.texts()).toEqual(["Order 1.", "Shop."]);
  });
});

describe("what may ground arguments", () => {
  it("are texts and ids, and texts are only texts", async () => {
    const { memory } = memoryWith({ order: () => ({ text: "Cake.", ids: { orderId: 5521 } }) });

    await memory.refresh();

    expect(memory.texts()).toEqual(["Cake."]);
    expect(memory.grounds()).toEqual(["Cake.", "5521"]);
  });
});

const provide = () => "Known.";

describe("checkMemory", () => {
  it.each([undefined, null, {}, { order: provide }, { order: { provide, keep: false } }])(
    "accepts %o",
    (memory) => {
      expect(() => {
        checkMemory(memory);
      }).not.toThrow();
    },
  );

  it.each([
    { memory: [], message: "memory: expected providers by name, got a list." },
    { memory: provide, message: "memory: expected providers by name, got a function." },
    {
      memory: { "the.order": provide },
      message: 'memory: expected a name of 1 to 64 letters, digits, "_" or "-", got "the.order".',
    },
    {
      memory: { order: "Cake." },
      message: 'memory.order: expected a function or { provide }, got "Cake.".',
    },
    {
      memory: { order: { provide, kep: true } },
      message: 'memory.order: there is no "kep". Did you mean keep? There is keep, provide.',
    },
    {
      memory: { order: { keep: true } },
      message: "memory.order.provide: expected a function, got undefined.",
    },
    {
      memory: { order: { provide, keep: 1 } },
      message: "memory.order.keep: expected true or false, got 1.",
    },
  ])("refuses: $message", ({ memory, message }) => {
    expect(() => {
      checkMemory(memory);
    }).toThrow(expect.objectContaining({ code: "invalid_option", message }));
  });
});
