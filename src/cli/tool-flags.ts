import { type Command, Option } from "commander";

import { protocols } from "../models/provider/capabilities.js";

/** Adds the flags for what graphs work with: models, tools and limits. */
export function addWorkFlags(command: Command): Command {
  command
    .option("--model <SPEC>", "the model for every role without one of its own")
    .option("--planner <SPEC>", "the model that plans")
    .option("--executor <SPEC>", "the model that calls tools and answers");
  return addToolFlags(command);
}

/** Adds the flags of a command that runs a graph: what it works with, and where its thread and its trace are kept. */
export function addRunFlags(command: Command): Command {
  return addWorkFlags(command)
    .addOption(
      new Option("--protocol <NAME>", "how the model calls tools (default: auto)").choices(
        protocols,
      ),
    )
    .option("--checkpoint <FILE.db>", "keep threads in this SQLite file")
    .option("--thread <ID>", "the conversation in it to continue")
    .option("--trace <FILE.db>", "keep what happens in this SQLite file: plangraph trace shows it");
}

/** Adds the flags for tools and limits. */
export function addToolFlags(command: Command): Command {
  return command
    .option(
      "--tools <FILE>",
      "a module that exports LangChain tools (.js; .ts with tsx), or a built-in tool by its name; repeatable",
      collect,
    )
    .option(
      "--services <FILE>",
      "service definitions (.json; .yaml with yaml), or a folder of them; repeatable",
      collect,
    )
    .option(
      "--allow-host <HOST>",
      "a host of services that may have a private address; repeatable",
      collect,
    )
    .option(
      "--mcp <SERVER>",
      "tools of an MCP server: its command in quotes or its URL; NAME=SERVER names it; repeatable",
      collect,
    )
    .option(
      "--mcp-auth <NAME=VARIABLE>",
      "the environment variable that holds the token of such a server; repeatable",
      collect,
    )
    .option(
      "--mcp-trust <NAME>",
      "believe what such a server says of its tools (which only read, which may be repeated); repeatable",
      collect,
    )
    .option("--knowledge <FILE.db>", "add a search in this base (default: PLANGRAPH_KNOWLEDGE)")
    .option("--embeddings <SPEC>", "the embedding model of the base (openai:NAME, ollama:NAME)")
    .option("--limit <NAME=N>", "what the run may use; repeatable", collect);
}

/** Collects the values of a repeatable flag. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
