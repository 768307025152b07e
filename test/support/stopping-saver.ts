import { MemorySaver } from "@langchain/langgraph";

/** Records one task more once it is told to stop, as a program does that is killed before its node's end. */
export class StoppingSaver extends MemorySaver {
  left = Infinity;

  override async putWrites(...given: Parameters<MemorySaver["putWrites"]>) {
    this.left -= 1;
    this.#check();
    return super.putWrites(...given);
  }

  override async put(...given: Parameters<MemorySaver["put"]>) {
    this.#check();
    return super.put(...given);
  }

  #check() {
    if (this.left < 0) throw new Error("the program stopped");
  }
}
