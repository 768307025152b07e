import { MemorySaver } from "@langchain/langgraph";

/** Keeps so many records, checkpoints and writes alike, and no other from then on: as a program that is killed. */
export class DyingSaver extends MemorySaver {
  left = Infinity;

  override async putWrites(...given: Parameters<MemorySaver["putWrites"]>) {
    this.#count();
    return super.putWrites(...given);
  }

  override async put(...given: Parameters<MemorySaver["put"]>) {
    this.#count();
    return super.put(...given);
  }

  #count() {
    this.left -= 1;
    if (this.left < 0) throw new Error("the program stopped");
  }
}
