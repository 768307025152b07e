export type {
  ChatRequest,
  ChatRequestMessage,
  ChatRequestTool,
  ChatRequestToolCall,
} from "./chat-request.js";
export type { CompleteCall, CompleteReply } from "./complete-reply.js";
export type { Dialect, DialectOptions, Refusal, WireCompletion, WireMessage } from "./dialect.js";
export { type DialectName, dialects } from "./dialects.js";
export { estimateTokens } from "./estimate-tokens.js";
export {
  type ErrorInside,
  type Fault,
  fault,
  type ServerAnswer,
  type StatusOptions,
} from "./fault.js";
export type {
  ScriptedInvalidToolCall,
  ScriptedReply,
  ScriptedToolCall,
  ScriptedUsage,
} from "./reply.js";
export { ScriptError } from "./script.js";
export type {
  ModelAnswer,
  ModelAnswerFunction,
  ModelReply,
  ScriptedCall,
  ScriptedCallOptions,
  ScriptedModelOptions,
} from "./scripted-call.js";
export { ScriptedModel, scriptedModel } from "./scripted-model.js";
export { startScriptedServer } from "./scripted-server.js";
export type {
  RecordedRequest,
  ScriptedServer,
  ScriptedServerOptions,
  ServerAnswerFunction,
  ServerReply,
} from "./server-options.js";
