import type { ErrorKind } from "../state/observation.js";

/** An error whose thrower knows what kind of failure it is. */
export class ClassifiedError extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
  }
}

/** An error that came after a call began to act: what it was to do may be done all the same. */
export class EffectUnknown extends ClassifiedError {}
