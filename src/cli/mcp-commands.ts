import type { Command } from "commander";

import { isDataFile } from "../files/file-names.js";
import { checkFileFlags, graphNames } from "./file-entries.js";
import type { CliIo } from "./io.js";
import { addWorkFlags, collect } from "./tool-flags.js";

const serving = `
Each graph is a tool with the input { question }; an agent or workflow file has its own name and description, and what
changes in it is taken by the next call. Without --http the protocol is on the standard input and output, so
that a client can start this command. Over HTTP only clients of this machine are served, unless --host says more.

Examples:
  $ plangraph mcp react --tools shop.js
  $ plangraph mcp assistant rewoo --knowledge shop.db --http 8080
  $ plangraph mcp agents/refunds.agent.yaml agents/sums.agent.yaml
  $ plangraph mcp react --http 8080 --host 0.0.0.0 --token-env MCP_TOKEN --allowed-host agents.example
`;

/** What files that are served take: all else stands in them. */
const ofFiles = ["model", "http", "host", "token-env", "allowed-host", "trace"];

/** Adds the command that serves graphs. It loads its code when it runs. */
export function addMcp(program: Command, io: CliIo): void {
  const command = addWorkFlags(program.command("mcp"));
  command
    .summary("serves graphs, and agents from files, as tools of an MCP server")
    .description("Serves graphs, and agents from files, as tools of an MCP server.")
    .argument("<GRAPH...>", `${graphNames}, or agent and workflow files`)
    .option("--http <PORT>", "serve over HTTP at this port, in place of the standard input")
    .option("--host <ADDRESS>", "the address to listen at (default: 127.0.0.1)")
    .option("--token-env <VARIABLE>", "the variable with the token that clients must send")
    .option("--allowed-host <NAME>", "a name by which clients may call it; repeatable", collect)
    .option("--trace <FILE.db>", "keep what happens in this SQLite file: plangraph trace shows it")
    .addHelpText("after", serving)
    .action(async (names: readonly string[], options: unknown) => {
      if (names.every(isDataFile)) checkFileFlags(command, ofFiles);
      const { mcpCommand } = await import("./serve-graphs.js");
      await mcpCommand(names, options, io);
    });
}
