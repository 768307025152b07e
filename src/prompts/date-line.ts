/** Formats by zone: making one costs more than using it a thousand times. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    timeZone,
  });
  formats.set(timeZone, format);
  return format;
}

function part(parts: readonly Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes) {
  return parts.find((each) => each.type === type)?.value ?? "";
}

/**
 * The sentence that tells a model the date, weekday and zone: "Today is Saturday, 2026-11-21
 * (Europe/Berlin)." The zone defaults to the system's. Throws a RangeError on an unknown zone.
 */
export function dateLine(at: Date | number, timeZone?: string): string {
  const key = `${Math.floor(Number(at) / 60_000)} ${timeZone ?? ""}`;
  if (last?.key !== key) last = { key, line: freshLine(at, timeZone) };
  return last.line;
}

/** A run asks for the line at every step, and no zone changes its date within a minute. */
let last: { readonly key: string; readonly line: string } | undefined;

function freshLine(at: Date | number, timeZone: string | undefined): string {
  const format = formatOf(timeZone);
  const parts = format.formatToParts(at);
  const date = `${part(parts, "year")}-${part(parts, "month")}-${part(parts, "day")}`;
  return `Today is ${part(parts, "weekday")}, ${date} (${format.resolvedOptions().timeZone}).`;
}
