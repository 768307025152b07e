import type { ChatRequest } from "../chat-request.js";
import type { Dialect, Refusal } from "../dialect.js";

/** Refuses the requests for which this is true. */
export const refuseIf =
  (
    isRefused: (request: ChatRequest) => boolean,
    refusal: Refusal,
  ): NonNullable<Dialect["refuses"]> =>
  (request) =>
    isRefused(request) ? refusal : undefined;

/** A refusal in OpenAI's form. */
export const openAIRefusal = (
  message: string,
  details: Pick<Refusal, "param" | "code"> = {},
): Refusal => ({ status: 400, message, ...details });

/** A refusal in DeepSeek's form, whose code has no meaning. */
export const deepSeekRefusal = (message: string): Refusal => ({
  status: 400,
  message,
  code: "invalid_request_error",
});

/** A refusal in vLLM's present form. */
export const vllmRefusal = (message: string): Refusal => ({
  status: 400,
  body: { error: { message, type: "BadRequestError", param: null, code: 400 } },
});

/** A refusal in vLLM's form until 2025: without `error` around it, so OpenAI's client reads no message. */
export const olderVllmRefusal = (message: string): Refusal => ({
  status: 400,
  body: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
});

/** An exception of a chat template in the form of llama.cpp's server: with status 500, as if a retry could help. */
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

/** A refusal in LM Studio's form: the error is a string. */
export const lmStudioRefusal = (error: string): Refusal => ({ status: 400, body: { error } });

/** A field unknown to Mistral's API, in that API's form: without `error` around it. */
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
