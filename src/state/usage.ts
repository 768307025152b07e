/** The usage of model calls. Tokens as the server reports them. */
export type ModelUsage = {
  /** Requests to models, failed attempts included. */
  readonly modelCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** US dollars, by the graph's prices; 0 without prices. */
  readonly costUsd: number;
};

/** The usage of a run so far: totals, and the models' share by role. */
export type Usage = ModelUsage & {
  /** Tool calls that were carried out, without refused ones and answers from memory. */
  readonly toolCalls: number;
  /** True when a server reported no tokens, and they were estimated from the length of the text. */
  readonly estimated?: boolean;
  readonly byRole: { readonly [role: string]: ModelUsage };
};

const noModelUsage: ModelUsage = {
  modelCalls: 0,
  tokensIn: 0,
  tokensOut: 0,
  costUsd: 0,
};

/** The usage of a run that has done nothing yet. */
export const noUsage: Usage = { ...noModelUsage, toolCalls: 0, byRole: {} };

/** The usage of `calls` tool calls. */
export function toolUsage(calls: number): Usage {
  return { ...noUsage, toolCalls: calls };
}

/** The usage of model calls in one role. */
export function roleUsage(role: string, used: Partial<ModelUsage>): Usage {
  const share = { ...noModelUsage, ...used };
  return { ...share, toolCalls: 0, byRole: { [role]: share } };
}

function addModelUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  return {
    modelCalls: left.modelCalls + right.modelCalls,
    tokensIn: left.tokensIn + right.tokensIn,
    tokensOut: left.tokensOut + right.tokensOut,
    costUsd: left.costUsd + right.costUsd,
  };
}

/** The sum of two usages, role by role. Commutative and associative; `noUsage` is neutral. */
export function addUsage(left: Usage, right: Usage): Usage {
  if (right === noUsage) return left;
  if (left === noUsage) return right;
  const byRole: Record<string, ModelUsage> = { ...left.byRole };
  for (const [role, share] of Object.entries(right.byRole)) {
    byRole[role] = addModelUsage(byRole[role] ?? noModelUsage, share);
  }
  const toolCalls = left.toolCalls + right.toolCalls;
  const sum = { ...addModelUsage(left, right), toolCalls, byRole };
  return left.estimated === true || right.estimated === true ? { ...sum, estimated: true } : sum;
}

/** The part of `whole` that is not in `part`, an earlier reading of the same usage. */
export function usageSince(whole: Usage, part: Usage): Usage {
  const byRole: Record<string, ModelUsage> = {};
  for (const [role, share] of Object.entries(whole.byRole)) {
    byRole[role] = modelUsageSince(share, part.byRole[role] ?? noModelUsage);
  }
  return {
    ...modelUsageSince(whole, part),
    toolCalls: whole.toolCalls - part.toolCalls,
    ...(whole.estimated === true ? { estimated: true } : {}),
    byRole,
  };
}

function modelUsageSince(whole: ModelUsage, part: ModelUsage): ModelUsage {
  return {
    modelCalls: whole.modelCalls - part.modelCalls,
    tokensIn: whole.tokensIn - part.tokensIn,
    tokensOut: whole.tokensOut - part.tokensOut,
    costUsd: whole.costUsd - part.costUsd,
  };
}
