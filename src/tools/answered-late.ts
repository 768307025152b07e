import type { DecisionRecord } from "../state/person.js";
import type { ToolPolicy } from "./policy.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** From here on the model is told how long the answer took: what it found out before may be out of date. */
const lateMs = hourMs;

/** What the model is told where people took long to answer. */
export function lateNote(record: DecisionRecord | undefined): string | undefined {
  if (record === undefined || record.at - record.askedAt < lateMs) return undefined;
  const after = duration(record.at - record.askedAt);
  return `(A person agreed ${after} after it was asked: results from before may be out of date.)`;
}

/** Why an approval comes too late to be carried out; nothing for one in time, and for what a person says instead. */
export function whyTooLate(
  record: DecisionRecord | undefined,
  { expiresAfter = Infinity }: ToolPolicy,
): string | undefined {
  if (record?.type !== "approve" && record?.type !== "edit") return undefined;
  const waited = record.at - record.askedAt;
  if (waited <= expiresAfter) return undefined;
  return `a person agreed ${duration(waited)} after it was asked, which is too late.`;
}

function duration(ms: number): string {
  const units = [
    { name: "day", of: dayMs },
    { name: "hour", of: hourMs },
    { name: "minute", of: minuteMs },
  ];
  const { name, of } = units.find((unit) => ms >= unit.of) ?? { name: "second", of: 1000 };
  const amount = Math.floor(ms / of);
  return amount === 1 ? `1 ${name}` : `${amount} ${name}s`;
}
