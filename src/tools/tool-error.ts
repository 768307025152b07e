import { ClassifiedError } from "../run/errors.js";

/**
 * Thrown by a tool that knows what kind of failure it has, which decides whether the call is retried:
 * `throw new ToolError("unavailable", "The shop is closed.")`.
 */
export class ToolError extends ClassifiedError {}
