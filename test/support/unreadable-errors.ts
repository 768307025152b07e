const refusing = () => {
  throw new Error("not for you");
};

/** What a tool may throw that throws by itself where it is looked at. */
export const unreadable: readonly { readonly name: string; readonly error: unknown }[] = [
  {
    name: "a message that throws",
    error: {
      get message() {
        return refusing();
      },
    },
  },
  {
    name: "an error whose message throws",
    error: Object.defineProperty(new Error("no"), "message", { get: refusing }),
  },
  {
    name: "an error whose name, status and cause throw",
    error: Object.defineProperties(new Error(""), {
      message: { get: refusing },
      name: { get: refusing },
      status: { get: refusing },
      cause: { get: refusing },
    }),
  },
  {
    name: "a proxy that refuses every look",
    error: new Proxy(
      {},
      { get: refusing, has: refusing, getPrototypeOf: refusing, ownKeys: refusing },
    ),
  },
];
