import type { Command } from "commander";

import { commaList } from "../run/comma-list.js";
import type { CliIo } from "./io.js";
import { collect } from "./tool-flags.js";

const importing = `
Each operation becomes a file NAME.service.json, to be read and changed before it is used. Without --out nothing
is written: the report says what the tools would be, what is left out and why, and what they cost a model.

Examples:
  $ plangraph services import openapi.yaml
  $ plangraph services import openapi.yaml --tags pets,store --out services --env api_key=PETS_KEY
  $ plangraph services import openapi.yaml --operations "listPets,GET /pets/*" --out services
`;

const calling = `
Prints the request with <VARIABLE> in the place of each secret, and the answer or the error as a model would read it.
--dry-run sends nothing and needs no secret. A call that may change something asks first; without a terminal it
needs --yes. Parameters that memory fills in are given as the others.

Exit status: 0 answered, or shown by --dry-run; 1 a missing secret, or a call that failed; 2 a wrong flag, file or
name; 4 not sent, because you said no; 130 cancelled.

Examples:
  $ plangraph services call rooms.service.json find_rooms --args '{ "building": "North" }' --dry-run
  $ plangraph services call services book_room --args '{ "room": "N1" }' --yes
`;

/** Adds the commands for service definitions. Each loads its code when it runs. */
export function addServices(program: Command, io: CliIo, finish: (status: number) => void): void {
  const services = program
    .command("services")
    .summary("makes service definitions from an OpenAPI document; shows and calls them")
    .description("Service definitions; each becomes a tool.")
    .helpCommand(false);
  addImport(services, io);
  services
    .command("list")
    .summary("lists service definitions")
    .description(
      "Lists service definitions: what each calls, its effect, and its tokens in a model call.",
    )
    .argument("<FILES...>", "service definitions (.json; .yaml with yaml), or folders of them")
    .option("--json", "print one JSON list")
    .action(async (files: readonly string[], options: unknown) => {
      const { listServicesCommand } = await import("./services.js");
      await listServicesCommand(files, options, io);
    });
  services
    .command("show")
    .summary("shows what a model sees of a service, and its policy")
    .description("Shows what a model sees of a service, its policy, and which secret goes where.")
    .argument("<FILE>", "service definitions, or a folder of them")
    .argument("[NAME]", "only this service")
    .option("--json", "print one JSON list")
    .action(async (file: string, name: string | undefined, options: unknown) => {
      const { showServicesCommand } = await import("./services.js");
      await showServicesCommand(file, name, options, io);
    });
  addCall(services, io, finish);
}

function addCall(services: Command, io: CliIo, finish: (status: number) => void): void {
  services
    .command("call")
    .summary("calls a service without a model")
    .description("Calls a service without a model, and shows the request and the answer.")
    .argument("<FILE>", "service definitions, or a folder of them")
    .argument("<NAME>", "the service")
    .option("--args <JSON>", "the arguments, as a model would write them (default: {})")
    .option("--dry-run", "show the request, and send nothing")
    .option("--yes", "send a call that may change something without asking")
    .option(
      "--allow-host <HOST>",
      "a host of services that may have a private address; repeatable",
      collect,
    )
    .option("--json", "print one JSON object")
    .addHelpText("after", calling)
    .action(async (file: string, name: string, options: unknown) => {
      const { callServiceCommand } = await import("./call-service.js");
      finish(await callServiceCommand(file, name, options, io));
    });
}

function addImport(services: Command, io: CliIo): void {
  services
    .command("import")
    .summary("makes service definitions from an OpenAPI document")
    .description("Makes service definitions from an OpenAPI document's operations.")
    .argument("<FILE>", "an OpenAPI document, version 3.0 or 3.1, .json or .yaml")
    .option("--out <FOLDER>", "where the definitions are written")
    .option("--tags <A,B>", "only operations with one of these tags; repeatable", listed)
    .option(
      "--operations <X,Y>",
      'only operations with these ids, or "GET /path"; * matches any text; repeatable',
      listed,
    )
    .option(
      "--server <URL>",
      "the address to call instead of the document's; nothing is sent anywhere else",
    )
    .option(
      "--env <SCHEME=VARIABLE>",
      "the environment variable that holds a security scheme's secret; repeatable",
      collect,
    )
    .option("--force", "overwrite existing files")
    .addHelpText("after", importing)
    .action(async (file: unknown, options: unknown) => {
      const { importServicesCommand } = await import("./import-services.js");
      await importServicesCommand(file, options, io);
    });
}

/** `a,b` as `a` and `b`. */
function listed(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...commaList(value)];
}
