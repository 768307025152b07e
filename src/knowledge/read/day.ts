// A time behind a day changes nothing: the day is the one that is written, in whatever zone.
const time = String.raw`(?:(?:T|\s+)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AP]M)?(?:\s*(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?`;
const day = (form: string) => new RegExp(`^${form}${time}$`, "i");

const forms = [
  day(String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<date>\d{1,2})`),
  day(String.raw`(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<date>\d{1,2})`),
  day(String.raw`(?<year>\d{4})年(?<month>\d{1,2})月(?<date>\d{1,2})[日号]?`),
  // Between dots the day is first wherever the year is last; between slashes nobody can say.
  day(String.raw`(?<date>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`),
];

/** The day that a text names, as `YYYY-MM-DD`, where its form leaves no doubt which day it is; else undefined. */
export function dayIn(text: string): string | undefined {
  const found = forms.map((form) => form.exec(text.trim())).find((match) => match !== null);
  if (found?.groups === undefined) return undefined;
  const { year = "", month = "", date = "" } = found.groups;
  const read = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const parsed = new Date(`${read}T00:00:00Z`);
  const isReal = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(read);
  return isReal ? read : undefined;
}
