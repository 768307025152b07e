import { isJsonObject, type Json, type JsonObject } from "../json/json.js";
import { errorLine, redactField } from "../observe/redact.js";
import { substituteReferences } from "../plan/references.js";
import { classifyError, EffectUnknown } from "../run/errors.js";
import { propertiesOf } from "../tools/argument-schema.js";
import type { binaryContent } from "./binary-content.js";
import type { Service } from "./definition.js";
import { type ServiceResponse, UnreadableAnswer } from "./read-response.js";
import { effectOf } from "./service-policy.js";

/** A tool's return value for LangChain: content for the model, and an artifact for a front end. */
export type Returned = [content: ReturnType<typeof binaryContent>, artifact: Json | undefined];

/** The data for the model, or the component that shows them; `note` is what the model must know about them. */
export function returned(
  service: Service,
  args: JsonObject,
  response: ServiceResponse,
  data: Json,
  note?: string,
): Returned {
  const { parameters, result } = service;
  const notes = [note, ...headerLines(service, response)].filter((line) => line !== undefined);
  const noted = (text: string) => [text, ...notes].join("\n");
  if (typeof result !== "object" || result.to !== "render") {
    const text = textOf(data, service, response);
    // With notes the text is no JSON: the data are the artifact, which references of a plan read.
    return [noted(text), notes.length === 0 || data === null ? undefined : data];
  }
  // Arguments that are not given are shown as empty: the service has answered all the same.
  const absent = Object.fromEntries(
    Object.keys(propertiesOf(parameters)).map((each) => [each, ""]),
  );
  const { say, render } = shownResult(result, data, { ...absent, ...args });
  return [noted(say), { value: data, render }];
}

/** The longest header that a model reads, in characters. */
const maxHeader = 1_000;

/** The chosen headers of a response; a new thing without data is told by its address. */
function headerLines({ responseHeaders = [] }: Service, response: ServiceResponse): string[] {
  const { headers, text, status, url } = response;
  const isNamed = text === "" && status < 300 && headers["location"] !== undefined;
  const chosen = [...responseHeaders, ...(isNamed ? ["location"] : [])];
  return [...new Set(chosen.map((name) => name.toLowerCase()))].flatMap((name) => {
    const value = headers[name];
    if (value === undefined) return [];
    const whole =
      name === "location" && URL.canParse(value, url) ? new URL(value, url).href : value;
    return [`${name}: ${redactField(name, whole).slice(0, maxHeader)}`];
  });
}

/** The result of a service. A change whose response is unreadable is reported as such: models repeat refused calls. */
export function doneAnyway(
  service: Service,
  response: ServiceResponse,
  read: () => Returned,
): Returned {
  const { status, text } = response;
  try {
    return read();
  } catch (error) {
    if (effectOf(service) === "read") throw error;
    if (!(error instanceof UnreadableAnswer)) throw leadsNowhere(response) ? ledTo(error) : error;
    if (!error.isDone) {
      const answered = `the service answered with status ${status}, but its answer cannot be read`;
      throw inDoubt(`${answered}: ${error.message}.`, error);
    }
    const said = `Done: the service did what it was asked. Do not ask it for this again. Only its result could not be read: ${error.message}`;
    const content = error.message.includes(text) ? said : `${said}\nIts answer: ${text}`;
    return [content, undefined];
  }
}

/** Whether a service may have made the change, and redirected to a response that was refused. */
function leadsNowhere({ status, isFollowUp }: ServiceResponse): boolean {
  return isFollowUp === true && status >= 300;
}

function ledTo(error: unknown): EffectUnknown {
  const where = "the service accepted the request and redirected to its response, and there";
  return inDoubt(`${where} ${errorLine(error, 800)}`, error);
}

/** A change that may have taken effect was not refused. */
function inDoubt(message: string, cause: unknown): EffectUnknown {
  const { kind } = classifyError(cause);
  return new EffectUnknown(kind === "rejected" ? "internal" : kind, message, { cause });
}

/** Data for the model: the original text if nothing was selected from it. */
function textOf(data: Json, service: Service, { text }: ServiceResponse): string {
  if (data === null) return "Done: the service answered, and gave no data.";
  if (typeof data === "string") return data;
  const isWhole = [service.data, service.fields, service.pages].every((each) => each === undefined);
  return isWhole ? text.replace(/^\uFEFF/, "") : JSON.stringify(data);
}

/** A definition's result with a component. */
type Rendered = Extract<Service["result"], { readonly to: "render" }>;

/** Maps data and arguments to a component. Throws an `UnreadableAnswer` if the data lack what the component shows. */
function shownResult(
  { component, props, say = `The user is shown the result: ${component}.` }: Rendered,
  data: Json,
  args: JsonObject,
) {
  const bindings = new Map<string, Json>([
    ["data", data],
    ["args", args],
  ]);
  const ofProps = substituteReferences({ props }, bindings);
  const ofText = substituteReferences({ say }, bindings, (_, text) => text);
  if (!ofProps.ok || !ofText.ok) {
    const problems = [ofProps, ofText].flatMap((each) => (each.ok ? [] : each.problems));
    throw new UnreadableAnswer(`nothing to show as ${component}: ${problems.join("; ")}`);
  }
  const { props: filled } = ofProps.args;
  const { say: sentence } = ofText.args;
  return {
    say: typeof sentence === "string" ? sentence : say,
    render: { component, props: isJsonObject(filled) ? filled : {} },
  };
}
