const maxLength = 64;

/**
 * Makes names that tools and their parameters may have with every provider: 64 ASCII letters, digits, `_` and `-`.
 * No two that one maker made are the same, whatever the case of their letters; `otherwise` stands for a text that
 * has none of these.
 */
export function uniqueNames(): (text: string, otherwise: string) => string {
  const taken = new Set<string>();
  return (text, otherwise) => {
    const name = fitName(text, otherwise);
    let unique = name;
    for (let at = 2; taken.has(unique.toLowerCase()); at += 1) {
      const suffix = `_${at}`;
      unique = `${name.slice(0, maxLength - suffix.length)}${suffix}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  };
}

/** The text as such a name, whether or not there is one like it. */
export function fitName(text: string, otherwise: string): string {
  const words = text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_-]/)
    .filter((word) => word !== "");
  const name = words.join("_").slice(0, maxLength);
  return name === "" || name === "__proto__" ? otherwise : name;
}
