import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph";

/** Keeps so many records, checkpoints and writes alike, and no other from then on: as a program that is killed. */
export class DyingSaver extends MemorySaver {
  left = Infinity;

  constructor() {
    super();
    stopsAfter(this, () => {
      this.left -= 1;
      return this.left;
    });
  }
}

/** Has a saver keep no record from the one on for which `left` gives less than none. */
export function stopsAfter(saver: BaseCheckpointSaver, left: () => number): void {
  const put = saver.put.bind(saver);
  const putWrites = saver.putWrites.bind(saver);
  const count = () => {
    if (left() < 0) throw new Error("the program stopped");
  };
  saver.put = async (...given) => {
    count();
    return put(...given);
  };
  saver.putWrites = async (...given) => {
    count();
    return putWrites(...given);
  };
}
