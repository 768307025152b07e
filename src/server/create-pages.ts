import { optionalPackage } from "../errors.js";
import { checkNames } from "../run/check-names.js";
import { checkPages, type PageOptions } from "./pages/page-options.js";

/** Options of `createPages`. */
export type CreatePagesOptions = PageOptions & {
  /** The SQLite file in which the graphs keep their runs (`traceStore`); default: the pages know of none. */
  readonly traces?: string;
  /** Names of hosts, besides those of this machine, by which the pages may be called; default none. */
  readonly allowedHosts?: readonly string[];
};

/** A web application, as Hono makes it. */
export type PagesApplication = {
  readonly fetch: (request: Request) => Response | Promise<Response>;
};

/**
 * The pages of `plangraph serve` for LangGraph's own server (`npx @langchain/langgraph-cli dev`), which mounts the application
 * before its API: `"http": { "app": "./src/pages.ts:app" }` in `langgraph.json`. A run is shown to whom the API shows its
 * thread. Throws `invalid_option`, `unreadable_file` for the module of components, and `missing_package`.
 */
export async function createPages(options: CreatePagesOptions = {}): Promise<PagesApplication> {
  const where = "createPages";
  checkNames(where, options, {
    traces: true,
    allowedHosts: true,
    traceLink: true,
    components: true,
  });
  await checkPages(where, options);
  const { mountedPages } = await optionalPackage(
    () => import("./pages/mounted-pages.js"),
    'The pages need the package "hono": npm install hono.',
  );
  return mountedPages(options);
}
