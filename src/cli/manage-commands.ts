import type { Command } from "commander";

import type { CliIo } from "./io.js";
import { collect } from "./tool-flags.js";

const pruning = `
The newest N checkpoints of each thread stay, with everything that a paused or unfinished run needs to
continue. A thread can no longer be read from a point before them. Other programs may have the file or the database open.
In a server's database, records of ended runs go, too, but each thread's last.

Examples:
  $ plangraph prune --checkpoint runs.db --keep 10
  $ plangraph prune --database postgresql://localhost/plangraph --keep 1 --older-than 30d
`;

const forgetting = `
Deletes threads with their runs, events, checkpoints and traces, and what a user told. A file of --checkpoint does not say
whose its threads are: name them with --thread. Who decided what, and when, stays in a database, without the words.
Without --tenant, only what belongs to no tenant is a user's: two tenants may have users of one name.

Examples:
  $ plangraph forget --user ann --database postgresql://localhost/plangraph --trace traces.db
  $ plangraph forget --thread order-17 --checkpoint runs.db --trace traces.db
`;

const deciding = `
Prints what people decided, the oldest first: when, what, about which call, and who. The login of the server says who it
was; "says" is a name that the decision itself gives.

Examples:
  $ plangraph decisions --database postgresql://localhost/plangraph --since 2026-11-01
  $ plangraph decisions --data .plangraph --json > decisions.jsonl
`;

const ofDatabase = "the Postgres of servers and workers (default: PLANGRAPH_DATABASE)";
const ofFolder = "the folder of a server's threads; no server may have it open";

/** Adds the commands that look after what is kept. They load their code when they run. */
export function addManage(program: Command, io: CliIo): void {
  addPrune(program, io);
  addForget(program, io);
  addDecisions(program, io);
}

function addPrune(program: Command, io: CliIo): void {
  program
    .command("prune")
    .summary("removes old checkpoints from a file or a database of threads")
    .description("Removes old checkpoints from a file or a database of threads.")
    .option("--checkpoint <FILE.db>", "the SQLite file that holds the threads")
    .option("--database <URL>", "in its place: the Postgres of servers and workers")
    .option("--data <DIR>", ofFolder)
    .option("--keep <N>", "how many checkpoints stay, of each thread and of each graph inside it")
    .option(
      "--older-than <TIME>",
      "of a database: only threads that stood still so long (30d, 12h)",
    )
    .option("--thread <ID>", "only this conversation")
    .option("--json", "print one JSON object")
    .option("--quiet", "print nothing")
    .addHelpText("after", pruning)
    .action(async (options: unknown) => {
      const { pruneCommand } = await import("./prune.js");
      await pruneCommand(options, io);
    });
}

function addForget(program: Command, io: CliIo): void {
  program
    .command("forget")
    .summary("deletes what is kept of a user or of a thread")
    .description("Deletes what is kept of a user or of a thread.")
    .option("--user <NAME>", "the user")
    .option("--tenant <NAME>", "the tenant of the user")
    .option("--namespace <A/B>", "a namespace of the store that is the user's; repeatable", collect)
    .option("--thread <ID>", "in place of a user: one thread")
    .option("--database <URL>", ofDatabase)
    .option("--data <DIR>", ofFolder)
    .option("--checkpoint <FILE.db>", "a SQLite file of threads and facts")
    .option("--trace <FILE.db>", "a SQLite file of traces")
    .addHelpText("after", forgetting)
    .action(async (options: unknown) => {
      const { forgetCommand } = await import("./forget.js");
      await forgetCommand(options, io);
    });
}

function addDecisions(program: Command, io: CliIo): void {
  program
    .command("decisions")
    .summary("prints who approved what, and when")
    .description("Prints who approved what, and when, from a server's database.")
    .option("--database <URL>", ofDatabase)
    .option("--data <DIR>", ofFolder)
    .option("--since <DATE>", "only from this day or moment on, such as 2026-11-01")
    .option("--thread <ID>", "only of this thread")
    .option("--json", "print one JSON object a line")
    .addHelpText("after", deciding)
    .action(async (options: unknown) => {
      const { decisionsCommand } = await import("./decisions.js");
      await decisionsCommand(options, io);
    });
}
