import { AsyncLocalStorage } from "node:async_hooks";

import { createSlots } from "../../run/slots.js";
import type { Answer, Question } from "./elicited-form.js";

/** A request whose server may ask something before it answers. */
export type Elicited = {
  /** The answer to a question; the server gets it at once. */
  readonly answer: (question: Question) => Answer;
  /** Called when a question came that may be of this request or of another. */
  readonly unclear: () => void;
};

/** The requests of one connection that wait for their answers. */
export type OpenRequests = {
  /** Sends a request, and answers what its server asks meanwhile. */
  readonly during: <Result>(
    request: Elicited | undefined,
    send: () => Promise<Result>,
  ) => Promise<Result>;
  /** Answers a question of the server. */
  readonly elicited: (question: Question) => Answer;
};

const cancel = { action: "cancel" } as const;

/** A request in whose course nobody can be asked. */
const nobody: Elicited = { answer: () => cancel, unclear: () => undefined };

/**
 * Finds the request that a question belongs to: the protocol does not say. It is the one on whose stream the question
 * came, or else the only one that waits. If several wait the question is cancelled, and from then on requests are sent
 * one after the other.
 */
export function createOpenRequests(): OpenRequests {
  const open = new Set<Elicited>();
  const here = new AsyncLocalStorage<Elicited>();
  const inTurn = createSlots(1);
  let isOneByOne = false;

  const tracked = async <Result>(
    { ...request }: Elicited,
    send: () => Promise<Result>,
  ): Promise<Result> => {
    open.add(request);
    try {
      return await here.run(request, send);
    } finally {
      open.delete(request);
    }
  };
  return {
    during: async (request = nobody, send) => {
      const work = () => tracked(request, send);
      return isOneByOne ? inTurn(work) : work();
    },
    elicited: (question) => {
      const [only] = open;
      const sender = here.getStore() ?? (open.size === 1 ? only : undefined);
      if (sender !== undefined) return open.has(sender) ? sender.answer(question) : cancel;
      if (open.size > 1) isOneByOne = true;
      for (const each of open) each.unclear();
      return cancel;
    },
  };
}
