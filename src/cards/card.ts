import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { closeName } from "../plan/nearest.js";
import { placeholderProblem, type Values, valuesOf } from "./placeholders.js";
import { fillTemplate, pathOf, readTemplate } from "./template.js";
import { tellUnknown } from "./visible.js";

/** How a type of cards looks as data and in words. */
export type CardOptions<
  Type extends string,
  Props extends z.ZodObject,
  Reply extends z.ZodObject,
> = {
  /** The `type` of the card's JSON. */
  readonly type: Type;
  /** What the card shows. */
  readonly props: Props;
  /**
   * The card in words: a function, or a template over the props, such as `Is it {{itemName}} ({{status}})?`. A part of it
   * between commas or brackets is left out where all of its values are missing.
   */
  readonly tell: string | ((props: z.output<Props>) => string);
} & (
  | { readonly reply?: undefined; readonly tellReply?: undefined }
  | {
      /** What a click brings. Further fields are refused, unless it is a `z.looseObject`. */
      readonly reply: Reply;
      /** The click in words: a function, or a template over the values of the reply and the props. */
      readonly tellReply: string | ((reply: z.output<Reply>, props: z.output<Props>) => string);
    }
);

/** A type of cards, made by `defineCard`. */
export type Card<
  Type extends string = string,
  Props extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodObject = z.ZodObject,
> = {
  readonly type: Type;
  readonly props: Props;
  readonly reply: Reply | undefined;
  /** Reads props of the card; `undefined` for those that do not fit. */
  readonly read: (props: unknown) => ReadCard | undefined;
};

/** A card with valid props. */
export type ReadCard = {
  /** The card in words. */
  readonly told: string;
  /** The value of a click, checked and in words; `undefined` for one that does not fit. */
  readonly readReply: (
    value: unknown,
    /** What becomes of fields that the reply does not have. */
    extras: "refused" | "ignored",
  ) => { readonly value: Readonly<Record<string, unknown>>; readonly told: string } | undefined;
};

type ReadReply = ReadCard["readReply"];

const optionNames = ["type", "props", "tell", "reply", "tellReply"];

/**
 * Defines a type of cards: UI elements in a conversation that a model reads as sentences. Throws `invalid_option` for a
 * template with a placeholder that is not there.
 */
export function defineCard<
  const Type extends string,
  Props extends z.ZodObject,
  Reply extends z.ZodObject = z.ZodObject,
>(options: CardOptions<Type, Props, Reply>): Card<Type, Props, Reply> {
  checkOptions(options);
  const { type, props, tell } = options;
  const where = `defineCard ${JSON.stringify(type)}`;
  const values = valuesOf(props);
  const tellProps = typeof tell === "string" ? filled(`${where}: tell`, tell, values) : tell;
  const { reply, tellReply } = options;
  const readReply =
    reply === undefined || tellReply === undefined
      ? () => () => undefined
      : replyReader(where, reply, tellReply, values);
  return {
    type,
    props,
    reply,
    read: (given) => {
      const read = props.safeParse(given);
      if (!read.success) return undefined;
      return {
        told: sentence(tellProps(read.data), given),
        readReply: readReply(read.data),
      };
    },
  };
}

/** Reads what a click on a card brings. */
function replyReader<Props, Reply extends z.ZodObject>(
  where: string,
  reply: Reply,
  tellReply: string | ((reply: z.output<Reply>, props: Props) => string),
  values: Values,
): (props: Props) => ReadReply {
  const tell =
    typeof tellReply === "string" ? bothFilled(where, tellReply, reply, values) : tellReply;
  // A schema that says what further fields are is the developer's decision.
  const strict = reply.def.catchall === undefined ? reply.strict() : reply;
  return (props) => (value, extras) => {
    if (extras === "refused" && !strict.safeParse(value).success) return undefined;
    const { data } = reply.safeParse(value);
    return data && { value: data, told: sentence(tell(data, props), value) };
  };
}

/** Words are never empty. */
function sentence(told: unknown, data: unknown): string {
  return typeof told === "string" && told.trim() !== "" ? told.trim() : tellUnknown(data);
}

function filled(where: string, text: string, values: Values): (data: unknown) => string {
  const template = readTemplate(text);
  const rest = text.replaceAll(/\{\{[^{}]*\}\}/g, "");
  if (/\{\{|\}\}/.test(rest)) {
    throw invalid(
      `${where}: a placeholder does not close: expected {{name}}, got ${cutText(text)}.`,
    );
  }
  for (const name of template.placeholders) {
    const problem = placeholderProblem(pathOf(name), values);
    if (problem !== undefined) throw invalid(`${where}: ${problem}`);
  }
  return (data) => fillTemplate(template, data);
}

function bothFilled(
  where: string,
  text: string,
  reply: z.ZodObject,
  props: Values,
): (reply: unknown, props: unknown) => string {
  const own = valuesOf(reply);
  const fill = filled(`${where}: tellReply`, text, { ...props, ...own });
  const twice = readTemplate(text)
    .placeholders.map((name) => pathOf(name)[0] ?? "")
    .find((name) => Object.hasOwn(own, name) && Object.hasOwn(props, name));
  if (twice !== undefined) {
    throw invalid(`${where}: tellReply: both reply and props have {{${twice}}}: use a function.`);
  }
  return (value, shown) =>
    fill({ ...(isRecord(shown) ? shown : {}), ...(isRecord(value) ? value : {}) });
}

function checkOptions(options: unknown): void {
  if (!isRecord(options)) throw invalid("defineCard: expected { type, props, tell }.");
  const { type, props, tell, reply, tellReply } = options;
  const where = `defineCard${typeof type === "string" ? ` ${JSON.stringify(type)}` : ""}`;
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  const meant = closeName(unknown ?? "", optionNames);
  const wrong = [
    {
      applies: unknown !== undefined,
      says: `there is no "${unknown}".${meant === undefined ? "" : ` Did you mean ${meant}?`} There is ${optionNames.join(", ")}.`,
    },
    {
      applies: typeof type !== "string" || type.trim() === "",
      says: "type: expected a text, the type of the card's JSON.",
    },
    { applies: !isZodObject(props), says: "props: expected a z.object." },
    { applies: !isTelling(tell), says: "tell: expected a template or a function." },
    {
      applies: reply !== undefined && !isZodObject(reply),
      says: "reply: expected a z.object.",
    },
    {
      applies: reply === undefined ? tellReply !== undefined : !isTelling(tellReply),
      says: "reply and tellReply go together: the fields of a click, and a template or a function.",
    },
  ].find(({ applies }) => applies);
  if (wrong !== undefined) throw invalid(`${where}: ${wrong.says}`);
}

function isTelling(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "string" && value.trim() !== "");
}

function isZodObject(value: unknown): boolean {
  return value instanceof z.ZodObject;
}

function cutText(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

function invalid(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
