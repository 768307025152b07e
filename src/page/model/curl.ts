import { defined } from "../../json/json.js";
import type { InputMessage, ModelInput } from "../../observe/observer.js";

/** The command that asks this question again on a server, in a thread of its own. */
export function runCurl(origin: string, graph: string, question: string): string {
  const input = { messages: [{ role: "user", content: question }] };
  return curl(quoted(`${origin}/runs/wait`), [], { assistant_id: graph, input });
}

/** The command that sends this to a model again; the environment names its server and holds its key. */
export function modelCurl(model: string, { messages, tools, form }: ModelInput): string {
  const body = {
    model,
    messages: messages.map(sent),
    ...(tools.length === 0 ? {} : { tools }),
    ...defined({ response_format: form }),
  };
  const key = '"authorization: Bearer $OPENAI_API_KEY"';
  return curl('"$OPENAI_BASE_URL/chat/completions"', [key], body);
}

function sent({ role, text, toolCalls = [], toolCallId }: InputMessage) {
  const calls = toolCalls.map(({ id, name, args }) => {
    return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
  });
  return {
    role,
    content: text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...defined({ tool_call_id: toolCallId }),
  };
}

/** `url` and `headers` as words of the shell. */
function curl(url: string, headers: readonly string[], body: unknown): string {
  const lines = [
    `curl ${url}`,
    ...headers.map((header) => `-H ${header}`),
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ];
  return lines.join(" \\\n  ");
}

/** A text as one word of a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
