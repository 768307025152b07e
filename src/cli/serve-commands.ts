import type { Command } from "commander";

import type { CliIo } from "./io.js";
import { collect } from "./tool-flags.js";

const serving = `
One process has everything: LangGraph's HTTP API, durable threads in a folder, and runs that go on after a restart. With
--database the threads are in a Postgres, and any number of servers and workers share them. Only programs of this machine
may call it, unless --host and a token or authorization say more; no web page may, unless --allow-origin names it.

Examples:
  $ plangraph serve
  $ plangraph serve --agents agents --data .plangraph
  $ plangraph serve --database postgresql://localhost/plangraph --slots 0
  $ plangraph serve --host 0.0.0.0 --allowed-host agents.example --token-env SERVER_TOKEN
`;

const working = `
Works on the runs of a database, beside other workers. SIGTERM and Ctrl-C let it finish what it does; what is not finished
by then, other workers go on with.

Example:
  $ plangraph worker --database postgresql://localhost/plangraph --slots 20
`;

const migrating = `
Servers and workers do this when they start. Run it before, where they may not change tables.

Example:
  $ plangraph migrate --database postgresql://localhost/plangraph
`;

const ofDatabase = "the Postgres of servers and workers (default: PLANGRAPH_DATABASE)";

/** Adds the commands that serve graphs over LangGraph's API. They load their code when they run. */
export function addServe(program: Command, io: CliIo): void {
  withGraphs(program.command("serve"))
    .summary("serves graphs over LangGraph's HTTP API, with durable threads and runs")
    .description("Serves graphs over LangGraph's HTTP API, with durable threads and runs.")
    .option("--data <DIR>", "the folder of the threads, without a database (default: .plangraph)")
    .option("--port <PORT>", "the port (default: 2180)")
    .option("--host <ADDRESS>", "the address to listen at (default: 127.0.0.1)")
    .option("--token-env <VARIABLE>", "the variable with the token that clients must send")
    .option("--allowed-host <NAME>", "a name by which clients may call it; repeatable", collect)
    .option("--allow-origin <ORIGIN>", "a web page's origin that may call it; repeatable", collect)
    .option("--webhook-host <NAME>", "a host that webhooks of runs may be at; repeatable", collect)
    .option("--daily-tokens <WHO=N>", "tokens a day for each user, each tenant or all", collect)
    .option("--daily-usd <WHO=USD>", "US dollars a day for each user, each tenant or all", collect)
    .option(
      "--trace-link <ADDRESS>",
      "a run in another tracing back end: {run} and {thread} stand for ids",
    )
    .option("--components <FILE>", "a module with components of your own for the pages")
    .addHelpText("after", serving)
    .action(async (options: unknown) => {
      const { serveCommand } = await import("./serve.js");
      await serveCommand(options, io);
    });
  withGraphs(program.command("worker"))
    .summary("works on the runs of servers with the same database")
    .description("Works on the runs of servers with the same database.")
    .option("--port <PORT>", "the port of /ok (default: a free one)")
    .addHelpText("after", working)
    .action(async (options: unknown) => {
      const { workerCommand } = await import("./serve.js");
      await workerCommand(options, io);
    });
  program
    .command("migrate")
    .summary("makes or updates the tables of a server's database")
    .description("Makes or updates the tables of a server's database.")
    .option("--database <URL>", ofDatabase)
    .addHelpText("after", migrating)
    .action(async (options: unknown) => {
      const { migrateCommand } = await import("./serve.js");
      await migrateCommand(options, io);
    });
}

function withGraphs(command: Command): Command {
  return command
    .option("--config <FILE>", "the file with the graphs (default: langgraph.json)")
    .option("--agents <DIR>", "in its place: a folder of agent and workflow files")
    .option("--database <URL>", ofDatabase)
    .option("--trace <FILE>", "the file in which runs are kept (default: in the folder of --data)")
    .option("--no-trace", "keeps no runs")
    .option("--provider-at-once <NAME=N>", "requests to a provider at the same time", collect)
    .option("--provider-per-minute <NAME=N>", "requests to a provider in a minute", collect)
    .option("--slots <N>", "runs that it works on side by side (default: 10 in a folder, else 20)")
    .option("--lease <SECONDS>", "after this time without a sign, others take over (default: 15)")
    .option("--drain <SECONDS>", "how long it waits for its runs at the end (default: 30)");
}
