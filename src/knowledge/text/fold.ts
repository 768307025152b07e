/** The text in the form in which it is compared: one width, lower case, Latin letters without accents. */
export function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}
