/** What is read of a subject to price its runs. */
type Measured = {
  readonly share: { readonly of: number };
  readonly spent: {
    readonly tokensIn: number;
    readonly tokensOut: number;
    readonly costUsd: number;
  };
};

/** What subjects are compared by: dollars or tokens, and how many of them a run of a subject takes. */
export type Pricing = {
  readonly unit: "dollars" | "tokens";
  readonly priceOf: (subject: Measured) => number;
};

/** How runs of these subjects are priced: in dollars where each that was measured has a price, else all of them in tokens. */
export function pricingOf(subjects: readonly Measured[]): Pricing {
  const measured = subjects.filter(({ share }) => share.of > 0);
  const hasCost = measured.some(({ spent }) => spent.costUsd > 0);
  return hasCost && measured.every(isPriced)
    ? { unit: "dollars", priceOf: ({ spent }) => spent.costUsd }
    : { unit: "tokens", priceOf: tokensOf };
}

/** Whether what a subject took has a price; a subject without tokens costs nothing. */
function isPriced(subject: Measured): boolean {
  return subject.spent.costUsd > 0 || tokensOf(subject) === 0;
}

function tokensOf({ spent }: Measured): number {
  return spent.tokensIn + spent.tokensOut;
}
