import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import { useWords } from "../text/context.js";

/** A component whose code is loaded when it is first drawn. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const words = useWords();
    const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
    useEffect(() => {
      if (known !== undefined) return;
      const loaded = (component: ComponentType<Props>) => {
        known = component;
        setState("loaded");
      };
      load().then(loaded, () => setState("failed"));
    }, []);
    const Known = known;
    if (Known !== undefined) return <Known {...props} />;
    // The server may have another version of the page by now.
    if (state === "failed") {
      return (
        <button type="button" onClick={() => location.reload()}>
          {words.loadAgain}
        </button>
      );
    }
    return null;
  };
}
