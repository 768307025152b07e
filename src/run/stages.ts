/** The rest of a call's way. */
export type Next<Request, Result> = (request: Request) => Promise<Result>;

/** One stage: it may change the request, call `next` once, several times or never, and change the result. */
export type Stage<Request, Result, NextRequest = Request, NextResult = Result> = (
  request: Request,
  next: Next<NextRequest, NextResult>,
) => Promise<Result>;

type Road<Request, Result, LastRequest, LastResult> = {
  /** Adds a stage inside the others. */
  readonly through: <NextRequest, NextResult>(
    stage: Stage<LastRequest, LastResult, NextRequest, NextResult>,
  ) => Road<Request, Result, NextRequest, NextResult>;
  /** The stages as one function, with the given one at the end. */
  readonly to: (end: Next<LastRequest, LastResult>) => Next<Request, Result>;
};

/** An empty list of stages. The first stage added is the outermost. */
export function stages<Request, Result>(): Road<Request, Result, Request, Result> {
  return roadOf((end) => end);
}

function roadOf<Request, Result, LastRequest, LastResult>(
  to: (end: Next<LastRequest, LastResult>) => Next<Request, Result>,
): Road<Request, Result, LastRequest, LastResult> {
  return {
    through: (stage) => roadOf((next) => to((request) => stage(request, next))),
    to,
  };
}
