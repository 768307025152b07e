// A day of the shop's customer service: two customers, in Chinese and English, and a person who decides on refunds.
// Run it: npx tsx examples/shop/day.ts
// With a model of yours: PLANGRAPH_MODEL=openai:NAME npx tsx examples/shop/day.ts
import { fileURLToPath } from "node:url";

import { HumanMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, INTERRUPT, isInterrupted } from "@langchain/langgraph";
import { cardMessage, type PersonRequests, readFacts, tellMessages } from "plangraph";

import { createShopAssistant, nameOf, orderCard, ordersOf, ownerOf } from "./assistant.js";
import { day, type ScriptedDay, scriptedDay, type Turn } from "./script.js";
import { startShop } from "./server.js";

type Print = (line: string) => void;
type Assistant = Awaited<ReturnType<typeof createShopAssistant>>;
type Result = Awaited<ReturnType<Assistant["invoke"]>>;

/** What the turns of a day share. */
type Day = {
  readonly url: string;
  readonly assistant: Assistant;
  readonly store: InMemoryStore;
  /** Whether a script says what the models reply, and what the person decides. */
  readonly isScripted: boolean;
  readonly print: Print;
};

/** What a turn says to the assistant: words, or a click on the card of the customer's last order. */
async function messagesOf({ customer, says, clicksOnCard }: Turn, { url, print }: Day) {
  const [order] = clicksOnCard === true ? await ordersOf(url, customer) : [];
  if (order === undefined) return [new HumanMessage(says)];
  const { item, amount, currency } = order.details;
  const id = `card-${order.orderId}`;
  const card = cardMessage(orderCard, { orderId: order.orderId, item, amount, currency }, id);
  print(`shop, with a card: ${card.text}`);
  // The click as a browser would send it.
  const additional_kwargs = { cardReply: { id, value: { isSelect: true } } };
  return [card, new HumanMessage({ content: says, additional_kwargs })];
}

/** One turn: the customer speaks, a person may have to decide, the assistant answers. */
async function playTurn(turn: Turn, today: Day): Promise<void> {
  const { assistant, store, print } = today;
  const { customer } = turn;
  const messages = await messagesOf(turn, today);
  const configurable = { customer, thread_id: customer };
  const said = tellMessages(messages, [orderCard]).at(-1);
  print(`${nameOf(customer)}: ${said?.text.replaceAll("\n", " ") ?? ""}`);
  const first = await assistant.invoke({ messages }, { configurable });
  const result = await decided(first, turn, { configurable }, today);
  for (const line of eventsOf(result)) print(`  ${line}`);
  print(`shop: ${(result.answer ?? "").replaceAll(/\n+/g, "\n  ")}`);
  if (turn.showsFacts !== true) return;
  const facts = await readFacts(store, await ownerOf({ context: undefined, configurable }));
  const told = facts.map(({ key, text }) => `${key}: ${JSON.stringify(text)}`);
  print(`  remembered: ${told.length === 0 ? "nothing" : told.join("; ")}`);
}

/** The result once a person has decided on all that the run asks for. */
async function decided(
  first: Result,
  turn: Turn,
  config: { readonly configurable: { readonly thread_id: string } },
  { assistant, isScripted, print }: Day,
): Promise<Result> {
  const type = isScripted ? (turn.decision ?? "reject") : "approve";
  let result = first;
  while (isInterrupted<PersonRequests>(result)) {
    const requests = result[INTERRUPT].flatMap(({ value }) => value?.action_requests ?? []);
    for (const { name, args, from_memory: known = [] } of requests) {
      print(`  approval asked: ${name} ${JSON.stringify(args)}; from memory: ${known.join(", ")}`);
      print(`  a person decides: ${type}${isScripted ? "" : " (automatically)"}`);
    }
    const decisions = requests.map(() => ({ type }));
    result = await assistant.invoke(new Command({ resume: { decisions } }), config);
  }
  return result;
}

/** What happened before the answer, in lines. */
function eventsOf({ query, passages, observations, outcome }: Result): readonly string[] {
  const [first] = passages;
  const calls = observations.filter(({ tool }) => tool !== "search_knowledge");
  return [
    ...(query?.rewritten === undefined ? [] : [`completed: ${query.rewritten}`]),
    ...(first === undefined
      ? []
      : [`recalled: ${passages.length}, first ${first.title} (${first.source}:${first.line})`]),
    ...calls.map(({ tool, ok, content }) => `${tool}: ${ok ? "" : "not done: "}${content}`),
    ...(outcome?.status === "answered" ? [] : [`outcome: ${outcome?.status ?? "none"}`]),
    ...(outcome?.cause === undefined ? [] : [`cause: ${outcome.cause}`]),
  ];
}

/** Whose model replies: the script's, or the one of this spec. */
type DayOptions = {
  readonly print?: Print;
  readonly model?: string | undefined;
  readonly scripted?: ScriptedDay;
  readonly afterTurn?: (turn: Turn) => void;
};

/** Plays the day, with a model or by its script. Returns the ids of the orders that the shop has refunded. */
export async function playDay({
  print = console.log,
  model = "offline",
  scripted = scriptedDay(day),
  afterTurn = () => {},
}: DayOptions = {}): Promise<readonly string[]> {
  const isScripted = ["", "offline"].includes(model.trim());
  const shop = await startShop();
  try {
    const store = new InMemoryStore();
    const { url } = shop;
    const models = isScripted ? scripted : model;
    const assistant = await createShopAssistant({ url, models, store });
    for (const turn of day) {
      await playTurn(turn, { url, assistant, store, isScripted, print });
      afterTurn(turn);
    }
    const refunds = shop.refunds();
    print(`The shop has refunded: ${refunds.join(", ") || "nothing"}`);
    return refunds;
  } finally {
    shop.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await playDay({ model: process.env["PLANGRAPH_MODEL"] });
}
