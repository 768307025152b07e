/** An error as OpenAI's API describes it. */
export type OpenAIError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

const known = new Map<number, Pick<OpenAIError, "message" | "code"> & Partial<OpenAIError>>([
  [401, { message: "Incorrect API key provided.", code: "invalid_api_key" }],
  [404, { message: "The model does not exist.", code: "model_not_found" }],
  [
    429,
    {
      message: "Rate limit reached.",
      code: "rate_limit_exceeded",
      type: "requests",
    },
  ],
]);

/** The error OpenAI's API gives with a status. */
export function openAIError(status: number): OpenAIError {
  const client = status < 500;
  return {
    message: client ? "The request was refused." : "The server had an error.",
    type: client ? "invalid_request_error" : "server_error",
    param: null,
    code: null,
    ...known.get(status),
  };
}
