export {
  type ChatRequest,
  type ChatRequestMessage,
  type ChatRequestTool,
  type ChatRequestToolCall,
  estimateTokens,
} from "./chat-request.js";
export type { Dialect, DialectOptions, Refusal, WireCompletion, WireMessage } from "./dialect.js";
export { type DialectName, dialects } from "./dialects.js";
export {
  type ErrorInside,
  type Fault,
  fault,
  type ServerAnswer,
  type StatusOptions,
} from "./fault.js";
export type {
  CompleteCall,
  CompleteReply,
  ScriptedInvalidToolCall,
  ScriptedReply,
  ScriptedToolCall,
  ScriptedUsage,
} from "./reply.js";
export { ScriptError } from "./script.js";
export {
  type ModelAnswer,
  type ModelAnswerFunction,
  type ModelReply,
  type ScriptedCall,
  type ScriptedCallOptions,
  ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.js";
export {
  type RecordedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
  type ServerAnswerFunction,
  type ServerReply,
  startScriptedServer,
} from "./scripted-server.js";
