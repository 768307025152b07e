/** What something cost; nothing where there are no prices. */
export function dollars(usd: number): string {
  return usd === 0 ? "" : `$${usd.toFixed(4)}`;
}

/** A time in milliseconds, as people read it: `80 ms`, `5.4 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A point in time in the reader's own zone: the hour today, else the day, too. */
export function timeOfDay(at: number, now: number): string {
  const date = new Date(at);
  const hour = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return date.toDateString() === new Date(now).toDateString() ? hour : `${day} ${hour}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** A number of things in English. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}
