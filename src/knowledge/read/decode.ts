/**
 * The text of a file: by its byte order mark, otherwise UTF-8, otherwise GB18030 (which GBK and GB2312 are part of) or
 * Windows-1252, whichever the bytes look like.
 * Undefined for bytes that are no text in either.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = markOf(bytes);
  if (encoding !== undefined) return decoded(bytes, encoding);
  if (bytes.includes(0)) return undefined;
  const other = isWestern(bytes) ? "windows-1252" : "gb18030";
  return decoded(bytes, "utf-8") ?? decoded(bytes, other);
}

/** In GBK, bytes above 127 come in pairs nearly always; in Western texts, such a byte is a letter among others. */
function isWestern(bytes: Uint8Array): boolean {
  let alone = 0;
  let paired = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    if ((bytes[at + 1] ?? 0) < 0x80) alone += 1;
    else {
      paired += 1;
      at += 1;
    }
  }
  return alone > paired;
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
