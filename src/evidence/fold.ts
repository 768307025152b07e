/** The text in the form in which it is compared: one width, lower case, Latin letters without accents. */
export function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

/** The text with full-width Latin letters, figures and marks in normal width; every character keeps its place. */
export function halfWidth(text: string): string {
  return text
    .replaceAll(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\u3000\u00A0\u202F\u2009]/g, " ");
}
