import { HumanMessage } from "@langchain/core/messages";

import { markedImages } from "../models/provider/media.js";
import { insideFence } from "../prompts/fence.js";
import { imagesIntroduction } from "../prompts/image-text.js";
import type { Observation } from "../state/observation.js";
import { maxImages } from "../tools/tool-result.js";

/** The images of a plan's results, the latest where they are many, in a message for who answers from the results. */
export function shownImages(observations: readonly Observation[]): HumanMessage[] {
  let left = maxImages;
  const shown = observations.toReversed().flatMap((observation) => {
    const images = (observation.images ?? []).slice(0, left);
    left -= images.length;
    return images.length === 0 ? [] : [{ ...observation, images }];
  });
  if (shown.length === 0) return [];
  const content = shown.toReversed().flatMap(({ callId, tool, content: text, images }) => {
    const isUntrusted = insideFence(text).before !== "";
    return [
      { type: "text", text: imagesIntroduction(tool, callId, isUntrusted) } as const,
      ...images,
    ];
  });
  const isWordless = shown.some(({ unread }) => unread !== undefined);
  return [new HumanMessage({ content, additional_kwargs: markedImages(isWordless) })];
}
