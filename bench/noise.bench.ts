// How much of a tool call survives what models write wrong: `npm run bench:noise` prints, for each kind of
// corruption and for each shape of calls, what plangraph's readers and `jsonrepair` alone make of it.
// `BENCH_CALLS` sets the number of calls (100), each of which is written in every shape.
import { AIMessage } from "@langchain/core/messages";
import * as fc from "fast-check";

import { jsonProtocol } from "../src/models/provider/json-protocol.js";
import { nativeProtocol } from "../src/models/provider/native-protocol.js";
import { readReply } from "../src/models/provider/reply.js";
import { fitting } from "../src/models/structured-output.js";
import { hardCalls, type MeantCall, plainCalls } from "../test/noise/calls.js";
import { kinds, noisyReply, type NoisyReply, type Slip } from "../test/noise/replies.js";
import { type Outcome, outcomeOf, repairedOutcome } from "../test/noise/run-reply.js";
import { type Shape, shapes } from "../test/noise/shapes.js";
import { mentionGroups } from "../test/support/mentioned-calls.js";
import {
  meantPlans,
  otherPlanMentions,
  planMarks,
  planQuotes,
  refundPlanForm,
  writtenPlans,
} from "../test/support/mentioned-plans.js";
import { formOf } from "../test/support/tool-forms.js";
import { requestOf } from "../test/support/provider-requests.js";
import { writtenForms } from "../test/support/written-calls.js";
import { tableOf } from "./table.js";

const numRuns = Number(process.env["BENCH_CALLS"] ?? 100);
const seed = 20_313;

/** Every fourth call has texts that look like JSON, code or marks. */
const calls = fc.sample(
  fc.oneof({ weight: 3, arbitrary: plainCalls }, { weight: 1, arbitrary: hardCalls }),
  { numRuns, seed },
);
const jsonShapes = shapes.filter(({ isJson }) => isJson);

/** How often each came out. */
type Tally = { readonly [O in Outcome]: number };

const nothing: Tally = { exact: 0, "sent back": 0, text: 0, wrong: 0 };

function counted(tally: Tally, outcome: Outcome): Tally {
  return { ...tally, [outcome]: tally[outcome] + 1 };
}

async function rowOf(replies: readonly NoisyReply[]): Promise<string[]> {
  let [read, repaired] = [nothing, nothing];
  for (const { text, call } of replies) {
    read = counted(
      counted(read, await outcomeOf(text, call, "json")),
      await outcomeOf(text, call, "text"),
    );
    repaired = counted(repaired, await repairedOutcome(text, call));
  }
  return [...cellsOf(read), ...cellsOf(repaired)];
}

function cellsOf(tally: Tally): string[] {
  const all = Object.values(tally).reduce((sum, each) => sum + each, 0);
  if (all === 0) return ["–", "–", "–"];
  const share = (count: number) => (count === 0 ? "0" : `${((100 * count) / all).toFixed(1)} %`);
  return [share(tally.exact), share(tally["sent back"] + tally.text), share(tally.wrong)];
}

/** The replies with a slip, unless it changes nothing or makes JSON that says something else. */
function repliesOf(of: readonly Shape[], slipsAt: (at: number) => readonly Slip[]): NoisyReply[] {
  const written = (call: MeantCall, shape: Shape, at: number) => {
    const slips = slipsAt(at);
    const reply = noisyReply(call, shape, slips);
    const isClean = slips.length > 0 && reply.text === noisyReply(call, shape, []).text;
    return isClean || reply.saysOther || !shape.fits(call) ? [] : [reply];
  };
  return calls.flatMap((call, row) =>
    of.flatMap((shape, column) => written(call, shape, row * 7_919 + column * 104_729)),
  );
}

const columns = ["read exactly", "refused", "wrong", "jsonrepair: exactly", "nothing", "wrong"];
const byKind: string[][] = [["nothing", ...(await rowOf(repliesOf(jsonShapes, () => [])))]];
for (const kind of kinds) {
  const replies = repliesOf(jsonShapes, (at) => [{ kind, at }]);
  byKind.push([kind.name, ...(await rowOf(replies))]);
}
const three = repliesOf(jsonShapes, (at) =>
  [0, 1, 2].flatMap((step) => {
    const kind = kinds[(at + step * 31) % kinds.length];
    return kind === undefined ? [] : [{ kind, at: at + step }];
  }),
);
byKind.push(["three kinds at once", ...(await rowOf(three))]);

const byShape: string[][] = [];
for (const shape of shapes) {
  const replies = repliesOf([shape], () => []);
  byShape.push([shape.name, ...(await rowOf(replies))]);
}

const protocols = { native: nativeProtocol, json: jsonProtocol };

/** What becomes of a reply with a call of a tool, before the model is asked anything. */
function firstVerdict(text: string, protocol: "native" | "json", isRead: boolean): string {
  const sent = requestOf({
    protocol: protocols[protocol],
    ...(protocol === "json" ? { rung: "prompt" as const } : {}),
  });
  const { message, written } = readReply(new AIMessage(text), sent, {
    tools: [formOf("refund", "order")],
    reads: new Set(isRead ? ["refund"] : []),
    results: () => [],
    isCorrection: false,
  });
  if ((message.tool_calls ?? []).length > 0) return "runs";
  return written === undefined ? "text" : "asked";
}

const ways = [
  { protocol: "native", isRead: true },
  { protocol: "native", isRead: false },
  { protocol: "json", isRead: true },
  { protocol: "json", isRead: false },
] as const;
const meant = {
  name: "nothing: it is meant",
  rows: writtenForms.map(({ write }) => ({ text: write("refund") })),
};
const bySaying = [meant, ...mentionGroups].map(({ name, rows }) => {
  const cells = ways.map(({ protocol, isRead }) => {
    const verdicts = rows.map(({ text }) => firstVerdict(text, protocol, isRead));
    return ["runs", "asked", "text"].map((each) => howMany(verdicts, each)).join(" / ");
  });
  return [name, ...cells];
});

function howMany(verdicts: readonly string[], wanted: string): number {
  return verdicts.filter((verdict) => verdict === wanted).length;
}

/** How many plans are taken out of replies, and how many go back: with steps that act, and without. */
async function planRow(name: string, texts: readonly string[]): Promise<string[]> {
  const cells = [true, false].map(async (acts) => {
    const read = texts.map((text) => fitting(text, false, refundPlanForm(acts)));
    const verdicts = (await Promise.all(read)).map(({ ok }) => (ok ? "taken" : "back"));
    return `${howMany(verdicts, "taken")} / ${howMany(verdicts, "back")}`;
  });
  return [name, ...(await Promise.all(cells))];
}

const around = (frame: (plan: string) => string) => writtenPlans.map(({ plan }) => frame(plan));
const texts = (rows: readonly { readonly text: string }[]) => rows.map(({ text }) => text);
const byPlan = await Promise.all([
  planRow("nothing: it is meant", texts(meantPlans)),
  planRow("words", planQuotes.flatMap(around)),
  planRow(
    "the marks of a quotation, a comment or a document",
    planMarks.flatMap((mark) => around(mark.around)),
  ),
  planRow("in ways of their own", texts(otherPlanMentions)),
]);
const planColumns = ["a plan with a write", "the same plan without one"];
process.stdout.write(`${tableOf(["what is said around a plan", ...planColumns], byPlan)}\n\n`);

const sayingColumns = ["auto, a read", "auto, a write", "json, a read", "json, a write"];
process.stdout.write(`${tableOf(["what is said around it", ...sayingColumns], bySaying)}\n\n`);

process.stdout.write(`${tableOf(["what is wrong", ...columns], byKind)}\n\n`);
process.stdout.write(`${tableOf(["shape, nothing wrong", ...columns], byShape)}\n`);
