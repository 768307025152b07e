/** Why an operation cannot be written as a service; caught where operations are converted one by one. */
export class UnfitOperation extends Error {
  override readonly name = "UnfitOperation";
}
