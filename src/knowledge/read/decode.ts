/**
 * The text of a file: by its byte order mark, otherwise UTF-8, otherwise GB18030 (which GBK and GB2312 are part of).
 * Undefined for bytes that are no text in either.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = markOf(bytes);
  if (encoding !== undefined) return decoded(bytes, encoding);
  if (bytes.includes(0)) return undefined;
  return decoded(bytes, "utf-8") ?? decoded(bytes, "gb18030");
}

/** Decoders leave out the mark themselves. */
function markOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch {
    return undefined;
  }
}
