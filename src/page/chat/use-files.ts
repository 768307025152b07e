import { useState } from "preact/hooks";

import type { Attachment, LeftOut, ReadFiles } from "./attachments.js";

/** The files that go with the question, and those that cannot. */
export function useFiles() {
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const [reading, setReading] = useState(0);
  const add = async (list: FileList | null) => {
    // The list empties with its field.
    const given = [...(list ?? [])];
    setReading((before) => before + 1);
    if (reading === 0) setLeftOut([]);
    const all = await readAll(given);
    setFiles((before) => [...before, ...all.read]);
    setLeftOut((before) => [...before, ...all.leftOut]);
    setReading((before) => before - 1);
  };
  const clear = () => {
    setFiles([]);
    setLeftOut([]);
  };
  const remove = (at: number) => setFiles((before) => before.toSpliced(at, 1));
  return { files, leftOut, isReading: reading > 0, add, remove, clear };
}

async function readAll(given: readonly File[]): Promise<ReadFiles> {
  try {
    const { readFiles } = await import("./parts.js");
    return await readFiles(given);
  } catch {
    return { read: [], leftOut: given.map(({ name }) => ({ name, why: "unread" })) };
  }
}
