import { checkNames, invalidOption, shown } from "../run/check-names.js";

/** What all processes of one database may ask of a provider together. */
export type ProviderLimit = {
  /** Requests at the same time. */
  readonly atOnce?: number | undefined;
  /** Requests that begin within any minute. */
  readonly perMinute?: number | undefined;
};

/** Limits by provider, as in the names of models: `openai`. */
export type ProviderLimits = Readonly<Record<string, ProviderLimit>>;

/** The limits, once they are known to be usable. Throws `invalid_option`. */
export function checkedLimits(where: string, limits: ProviderLimits = {}): ProviderLimits {
  for (const [provider, limit] of Object.entries(limits)) {
    const place = `${where}: providerLimits.${provider}`;
    checkNames(place, limit, { atOnce: true, perMinute: true });
    const wrong = Object.values(limit).find((most) => !isCount(most));
    if (wrong !== undefined) {
      throw invalidOption(`${place}: expected whole numbers from 1, got ${shown(wrong)}.`);
    }
  }
  return limits;
}

function isCount(most: number | undefined): boolean {
  return most === undefined || (Number.isSafeInteger(most) && most >= 1);
}
