import { AIMessage } from "@langchain/core/messages";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isJsonObject, isRecord, jsonCopy, type JsonObject } from "../json/json.js";
import type { Card } from "./card.js";

/** What a message says of the card that it shows, in `additional_kwargs.card`. */
export const ShownCard = z.object({
  id: z.string(),
  type: z.string(),
  props: z.record(z.string(), z.unknown()).transform((props) => jsonObject(props) ?? {}),
});

/** The cards that a message shows: its own, and those of tools in the run that it answers. */
export function cardsIn({ card, render }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const rendered: readonly unknown[] = Array.isArray(render) ? render : [];
  const ofTools = rendered.filter(isRecord).map(({ callId, component, props }) => ({
    id: callId,
    type: component,
    props,
  }));
  return [...ofTools, card];
}

/**
 * The message that shows a card: its words as content, its data in `additional_kwargs.card`. Throws `invalid_input` for
 * props that do not fit, or are no JSON.
 */
export function cardMessage<Props extends z.ZodObject>(
  card: Card<string, Props>,
  props: z.input<Props>,
  id: string,
): AIMessage {
  const { told, data } = readProps("cardMessage", card, props);
  return new AIMessage({
    content: told,
    additional_kwargs: { card: { id, type: card.type, props: data } },
  });
}

/**
 * The result of a tool that shows a card, for `responseFormat: "content_and_artifact"`: models read its words, the front end gets
 * its data. Its id is the id of the call. Throws `invalid_input` for props that do not fit, or are no JSON.
 */
export function cardResult<Props extends z.ZodObject>(
  card: Card<string, Props>,
  props: z.input<Props>,
): [string, { readonly render: { readonly component: string; readonly props: JsonObject } }] {
  const { told, data } = readProps("cardResult", card, props);
  return [told, { render: { component: card.type, props: data } }];
}

/** The props as data, and the card in words. */
function readProps(where: string, card: Card, props: unknown) {
  const data = jsonObject(props);
  const read = data === undefined ? undefined : card.read(data);
  if (data !== undefined && read !== undefined) return { told: read.told, data };
  const { error } = card.props.safeParse(data);
  const problem = error === undefined ? "" : `\n${z.prettifyError(error)}`;
  throw new PlangraphError(
    "invalid_input",
    `${where}: the props do not fit the card ${JSON.stringify(card.type)}.${problem}`,
  );
}

function jsonObject(value: unknown): JsonObject | undefined {
  const copy = jsonCopy(value);
  return isJsonObject(copy) ? copy : undefined;
}
