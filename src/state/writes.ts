/** The keys a node writes: `Promise<Writes<typeof ConversationState, "messages">>`. Makes a mistyped key an error. */
export type Writes<S extends { readonly Update: object }, K extends keyof S["Update"]> = Pick<
  S["Update"],
  K
>;
