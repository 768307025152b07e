// What a program for a browser or a worker has in its bundle: the main entry, a model and a place for threads.
export { FakeListChatModel } from "@langchain/core/utils/testing";
export { Command, MemorySaver } from "@langchain/langgraph";
export { askUser, calculator, createReactGraph, createRewooGraph } from "../../src/index.js";
