import { type BaseMessage, HumanMessage, isHumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import type { NamedSchema } from "../models/provider/output-mode.js";
import type { CallWish } from "../models/provider/tool-protocol.js";
import { type ModelReply, toolForm } from "../models/model-request.js";
import type { ProviderTool } from "../models/provider-tool.js";
import { readResultName } from "../prompts/read-on-hint.js";
import { resultLines } from "../prompts/results.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import {
  agentPrompt,
  anotherWayPrompt,
  madeAnewPrompt,
  openPointPrompt,
  toldPrompt,
} from "../roles/agent.js";
import { type AgentExample, agentExamples } from "../roles/examples.js";
import type { AnswerChat } from "../run/answer-chat.js";
import { lastTelling } from "../runtime/asked-words.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { madeAnew } from "../runtime/made-anew.js";
import { callTurns, isGoingRound, lastQuestion } from "../runtime/messages.js";
import { type Asked, isTold, openPoint } from "../runtime/open-points.js";
import { type ReplyWrites, replyWrites } from "../runtime/reply-writes.js";
import type { Conversation, ConversationState } from "../state/conversation.js";
import { isReadOn, readResultForm } from "../tools/builtin/read-kept-result.js";
import { foundIn, shownTools } from "../tools/searchable.js";
import { changesSomething, statedReads, type Toolbox } from "../tools/toolbox.js";

type AgentOptions = {
  readonly toolbox: Toolbox;
  /** Tools that the model's server runs. */
  readonly provided?: readonly ProviderTool[];
  readonly instructions: Instructions;
  /** Examples of how questions are answered; default none. */
  readonly examples?: readonly AgentExample[] | undefined;
  /** The form of the answer, for models that take it together with tools. */
  readonly output?: NamedSchema | undefined;
  /** Whether a question is to be answered after a call of these tools, or only then; default neither. */
  readonly callFirst?: (tools: Toolbox) => CallWish | undefined;
};

/** Thinks: asks the executor model for its next tool calls or the answer. */
export function createAgent({
  toolbox,
  provided = [],
  instructions,
  examples = [],
  output: answerForm,
  callFirst = () => undefined,
}: AgentOptions): GraphNode<typeof ConversationState> {
  const all = offersOf(toolbox);
  return async function agent(state, config): Promise<ReplyWrites> {
    const run = enterRun(state, config, "agent");
    const seen = shownTools(run.allowed(toolbox), foundIn(state.observations));
    const { tools, reading, reads } = seen === toolbox ? all : offersOf(seen);
    const text = textOf(instructions, state, run);
    const shown = agentExamples(examples, new Set(seen.keys()));
    const prompt = agentPrompt(heard("executor", state, run), text, run.dateLine(), shown);
    const wish = seen.size > 0 ? callFirst(seen) : undefined;
    const asking = wish === "required" ? askingOf(state, run, seen, prompt) : undefined;
    const next = nextCall(state, wish, asking);
    // What must be a call is no answer: nobody hears it.
    const isHeard = next.call !== "required";
    const chat = isHeard ? run.openChat() : undefined;
    const reply = await run.ask("executor", {
      messages: prompt,
      ...next,
      tools: isReadOn(state.observations) ? reading : tools,
      providerTools: provided.filter(({ type }) => run.mayUse(type)),
      reads,
      answerForm,
      streamToUser: run.parentChat === undefined && isHeard,
      chat,
    });
    return replyWrites(reply, state.messages, run, await chatId(reply, run, chat));
  };
}

/** Without a plan nothing is known yet: a call is wanted, unless one can change anything. */
export function wishForCall(tools: Toolbox): CallWish | undefined {
  return changesSomething(tools) ? undefined : "wanted";
}

/** Whether the next reply is to be a call, of which tools, and what the model is told after the conversation. */
function nextCall(state: Conversation, wish: CallWish | undefined, asking: Asking | undefined) {
  const open = asking && openPoint(asking.asked, asking.forms);
  const callOf = open && new Set(open.of);
  if (state.observations.length === 0) {
    const told = asking?.isLast === true ? toldIn(asking) : undefined;
    return { call: told === undefined ? wish : undefined, callOf, trailingMessages: said(told) };
  }
  if (asking === undefined || open === undefined) {
    return { call: undefined, callOf, trailingMessages: said(otherHint(state, asking)) };
  }
  const call: CallWish = "wanted";
  const hint = openPointPrompt(open.told, asking.asked.question);
  return { call, callOf, trailingMessages: said(hint) };
}

type Asking = {
  readonly asked: Asked;
  readonly forms: readonly ToolForm[];
  /** Whether it is the last task of a plan, which answers the question from the results of all tasks. */
  readonly isLast: boolean;
};

/** What is asked, with the calls so far. Nothing where a tool can change anything: nobody holds a model to one more call. */
function askingOf(
  state: Conversation,
  run: Run,
  tools: Toolbox,
  prompt: readonly BaseMessage[],
): Asking | undefined {
  const { messages, observations } = state;
  if (changesSomething(tools) || isReadOn(observations)) return undefined;
  const { namesAll, calls: before } = run.task ?? {};
  const turns = callTurns(messages, observations);
  return {
    asked: {
      question: questionOf(state, run),
      turns,
      said: givenIn(prompt, run),
      ...defined({ namesAll, before }),
    },
    forms: [...tools.values()].map(({ tool }) => toolForm(tool)),
    isLast: namesAll === false,
  };
}

/** What stands before the question. A task has what models said of earlier tasks in its words: that is not known. */
function givenIn(prompt: readonly BaseMessage[], { task }: Run): readonly string[] {
  const asked = prompt.findLastIndex(isHumanMessage);
  return prompt.slice(0, task === undefined ? asked + 1 : asked).map(({ text }) => text);
}

/** What a model is told that has no call to make: that it goes round in circles, or that its question seems answered. */
function otherHint({ messages, observations }: Conversation, asking?: Asking): string | undefined {
  if (isGoingRound(messages, observations)) {
    return anotherWayPrompt(resultLines(observations, maxResultChars));
  }
  return asking && toldIn(asking);
}

function toldIn({ asked, forms }: Asking): string | undefined {
  const anew = madeAnew(asked, forms);
  if (anew !== undefined) return madeAnewPrompt(anew, asked.question);
  if (!isTold(asked, forms)) return undefined;
  const { question, before = [], turns } = asked;
  return toldPrompt(question, lastTelling([...before, ...turns.flat()], question));
}

function said(text: string | undefined): HumanMessage[] {
  return text === undefined ? [] : [new HumanMessage(text)];
}

function questionOf({ messages }: Conversation, { task }: Run): string {
  return task?.question ?? lastQuestion(messages);
}

/** The tools for a request, those for one after a result that was cut, and which of them are declared reads. */
function offersOf(toolbox: Toolbox) {
  const tools = [...toolbox.values()].map(({ tool }) => tool);
  const reads = statedReads(toolbox);
  if (toolbox.has(readResultName)) return { tools, reading: tools, reads };
  return {
    tools,
    reading: [...tools, readResultForm],
    reads: new Set([...reads, readResultName]),
  };
}

/** The id under which the answer in a reply was streamed; a calling run gives its own answer an id. */
async function chatId(reply: ModelReply, { parentChat }: Run, chat: AnswerChat | undefined) {
  if (reply.kind !== "replied" || (reply.message.tool_calls ?? []).length > 0) return undefined;
  return parentChat === undefined ? chat?.end(reply.message.text) : undefined;
}

/** Maximum characters of a repeated result that the conversation already shows. */
const maxResultChars = 300;
