// A small service of advertising plans: what each spent and earned on a day, filtered by return on investment and dates.
// Run it: npx tsx examples/ad-report/server.ts [port]
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const plans = [
  { plan: "Spring sale", date: "2026-11-20", spent: 1200, roi: 14.2 },
  { plan: "Newsletter", date: "2026-11-21", spent: 300, roi: 22.5 },
  { plan: "Video", date: "2026-11-22", spent: 5400, roi: 3.1 },
  { plan: "Search", date: "2026-11-22", spent: 2100, roi: 12.8 },
  { plan: "Partners", date: "2026-11-22", spent: 800, roi: 10.4 },
];

/** The conditions of a query: `gt|10`. */
const conditions: { readonly [name: string]: (value: number, than: number) => boolean } = {
  gt: (value, than) => value > than,
  ge: (value, than) => value >= than,
  lt: (value, than) => value < than,
  le: (value, than) => value <= than,
  eq: (value, than) => value === than,
};

function answer(query: URLSearchParams): object {
  const [name = "", than] = (query.get("roi") ?? "gt|0").split("|");
  const meets = conditions[name];
  if (meets === undefined || than === undefined || Number.isNaN(Number(than))) {
    return {
      code: 400,
      msg: `roi: expected gt|N, ge|N, lt|N, le|N or eq|N, got "${query.get("roi")}".`,
    };
  }
  const [from, to] = [query.get("startTime") ?? "", query.get("endTime") ?? "9999"];
  const rows = plans.filter(
    ({ roi, date }) => meets(roi, Number(than)) && from <= date && date <= to,
  );
  return { code: 200, msg: "ok", result: { total: rows.length, rows } };
}

/** Starts the service on 127.0.0.1; port 0 takes a free one. */
export async function startAdPlans(port = 0) {
  const asked: string[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    asked.push(`${method} ${url}`);
    const { searchParams } = new URL(url, "http://plans");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(searchParams)));
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  /** The requests, in their order. */
  const requests = (): readonly string[] => asked;
  return { host, url: `http://${host}`, requests, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url, host } = await startAdPlans(Number(process.argv[2] ?? 0));
  console.log(`Advertising plans at ${url}. In another shell:`);
  console.log(`AD_PLANS_URL=${url} npm run react -- "Which plans had an ROI over 10 today?" \\`);
  console.log(`  --services examples/ad-report --allow-host ${host}`);
}
