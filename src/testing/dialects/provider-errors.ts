import type { ChatRequest } from "../chat-request.js";
import type { Dialect, Refusal } from "../dialect.js";

/** Refuses the requests of which this is true. */
export const refuseIf =
  (
    isRefused: (request: ChatRequest) => boolean,
    refusal: Refusal,
  ): NonNullable<Dialect["refuses"]> =>
  (request) =>
    isRefused(request) ? refusal : undefined;

/** A refusal as OpenAI writes it. */
export const openAIRefusal = (
  message: string,
  details: Pick<Refusal, "param" | "code"> = {},
): Refusal => ({ status: 400, message, ...details });

/** A refusal as DeepSeek writes it, whose code says nothing. */
export const deepSeekRefusal = (message: string): Refusal => ({
  status: 400,
  message,
  code: "invalid_request_error",
});

/** A refusal as vLLM writes it today. */
export const vllmRefusal = (message: string): Refusal => ({
  status: 400,
  body: { error: { message, type: "BadRequestError", param: null, code: 400 } },
});

/** A refusal as vLLM wrote it until 2025: without `error` around it, so that OpenAI's client reads no message. */
export const olderVllmRefusal = (message: string): Refusal => ({
  status: 400,
  body: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
});

/** An exception of a chat template as llama.cpp's server writes it: with status 500, as if asking again would help. */
export const llamaCppRefusal = (message: string): Refusal => ({
  status: 500,
  body: {
    error: {
      code: 500,
      message: `\n------------\nWhile executing CallExpression at line 1, column 32 in source:\n...== 0) %}↵            {{- raise_exception('...\n                                           ^\nError: Jinja Exception: ${message}`,
      type: "server_error",
    },
  },
});

/** A refusal as LM Studio writes it: the error is a text. */
export const lmStudioRefusal = (error: string): Refusal => ({ status: 400, body: { error } });

/** A field that is not in the schema of Mistral's API, as that API writes it: without `error` around it. */
export const mistralRefusal = (place: readonly (string | number)[], input: unknown): Refusal => ({
  status: 422,
  body: {
    object: "error",
    message: {
      detail: [
        {
          type: "extra_forbidden",
          loc: ["body", ...place],
          msg: "Extra inputs are not permitted",
          input,
        },
      ],
    },
    type: "invalid_request_error",
    param: null,
    code: null,
  },
});
