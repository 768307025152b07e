const forms = [
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/,
  /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/,
  /^(\d{4})年(\d{1,2})月(\d{1,2})[日号]?$/,
];

/** The day that a text names, as `YYYY-MM-DD`, where year, month and day stand in this order; else undefined. */
export function dayIn(text: string): string | undefined {
  const found = forms.map((form) => form.exec(text.trim())).find((match) => match !== null);
  if (found === undefined || found === null) return undefined;
  const [, year = "", month = "", date = ""] = found;
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const parsed = new Date(`${day}T00:00:00Z`);
  const isReal = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
  return isReal ? day : undefined;
}
