/** A request to a model that is about to be sent. */
type AskedToAdmit = {
  /** The provider, as in a model's name; undefined where its client does not say. */
  readonly provider: string | undefined;
  /** Aborts when the call is over. */
  readonly signal: AbortSignal;
};

/** Resolves when the request may be sent; what it resolves to is called when the request has ended. */
export type Admit = (asked: AskedToAdmit) => Promise<() => void>;

const key = "__plangraph_admit";

/** The part of a LangChain config that is passed down to all calls. */
type Configured = { readonly configurable?: Record<string, unknown> | undefined };

/** The configurable field that makes every model call of a run, and of the runs in it, ask before it is sent. */
export function admittedBy(admit: Admit): Readonly<Record<string, Admit>> {
  return { [key]: admit };
}

/** Whom a run's model calls ask; undefined where they need not. */
export function admitIn({ configurable }: Configured): Admit | undefined {
  const admit: unknown = configurable?.[key];
  return isAdmit(admit) ? admit : undefined;
}

function isAdmit(value: unknown): value is Admit {
  return typeof value === "function";
}
