import { AIMessage } from "@langchain/core/messages";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isJsonObject, jsonCopy, type JsonObject } from "../json/json.js";
import type { Card } from "./card.js";

/** What a message says of the card that it shows, in `additional_kwargs.card`. */
export const ShownCard = z.object({
  id: z.string(),
  type: z.string(),
  props: z.record(z.string(), z.unknown()).transform((props) => jsonObject(props) ?? {}),
});

/**
 * The message that shows a card: its words as content, its data in `additional_kwargs.card`. Throws `invalid_input` for
 * props that do not fit, or are no JSON.
 */
export function cardMessage<Props extends z.ZodObject>(
  card: Card<string, Props>,
  props: z.input<Props>,
  id: string,
): AIMessage {
  const data = jsonObject(props);
  const read = data === undefined ? undefined : card.read(data);
  if (data === undefined || read === undefined) {
    const { error } = card.props.safeParse(data);
    const problem = error === undefined ? "" : `\n${z.prettifyError(error)}`;
    throw new PlangraphError(
      "invalid_input",
      `cardMessage: the props do not fit the card ${JSON.stringify(card.type)}.${problem}`,
    );
  }
  return new AIMessage({
    content: read.told,
    additional_kwargs: { card: { id, type: card.type, props: data } },
  });
}

function jsonObject(value: unknown): JsonObject | undefined {
  const copy = jsonCopy(value);
  return isJsonObject(copy) ? copy : undefined;
}
