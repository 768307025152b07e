import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";

import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { z } from "zod";

/** Values by their channels. */
type Values = readonly (readonly [channel: string, value: unknown])[];
type Serde = BaseCheckpointSaver["serde"];

const Packed = z.array(z.tuple([z.string(), z.string(), z.string()]));

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Values as they are kept: each by LangGraph's serializer, all compressed. */
export async function packed(serde: Serde, values: Values): Promise<Uint8Array> {
  const stored = values.map(async ([channel, value]) => {
    const [type, bytes] = await serde.dumpsTyped(value);
    return [channel, type, Buffer.from(bytes).toString(encodingOf(type))];
  });
  return deflate(JSON.stringify(await Promise.all(stored)));
}

/** The values again; of those whose channels are not wanted, nothing is read. */
export async function unpacked(
  serde: Serde,
  data: Uint8Array,
  isWanted: (channel: string) => boolean = () => true,
): Promise<[channel: string, value: unknown][]> {
  const stored = Packed.parse(JSON.parse((await inflate(data)).toString()));
  return Promise.all(
    stored
      .filter(([channel]) => isWanted(channel))
      .map(async ([channel, type, text]): Promise<[string, unknown]> => [
        channel,
        await serde.loadsTyped(type, Buffer.from(text, encodingOf(type))),
      ]),
  );
}

function encodingOf(type: string): "utf8" | "base64" {
  return type === "json" ? "utf8" : "base64";
}
