/** Whether a key sends what is written: Enter without Shift, unless it ends a word of a method of input. */
export function isSendKey({ key, shiftKey, isComposing }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !isComposing;
}

/** Gives the focus to an element that has just come; a reference for it. */
export function focusNew(element: HTMLElement | null): void {
  element?.focus();
}
