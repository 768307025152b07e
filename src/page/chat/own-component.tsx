import { useEffect, useRef, useState } from "preact/hooks";

import type { Shown } from "../model/render.js";
import { useWords } from "../text/context.js";

type Props = Omit<Extract<Shown, { kind: "unknown" }>, "kind">;

/** What the operator's component draws; without one, or where it fails, the data. */
export function OwnComponent({ component, props }: Props) {
  const { language } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isGone = false;
    const show = async () => {
      try {
        const drawn = await draw(component, props, language);
        if (isGone || drawn === undefined) return;
        place.current?.replaceChildren(drawn);
        setDrawn(true);
      } catch (error) {
        console.error(`The component ${component} failed.`, error);
      }
    };
    void show();
    return () => {
      isGone = true;
    };
  }, [component, props, language]);
  return (
    <>
      <div ref={place} />
      {!isDrawn && (
        <details class="card">
          <summary>{component}</summary>
          <pre tabIndex={0}>{JSON.stringify(props, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

/** The operator's module; the address is of this server whatever an answer says. */
const address = "/page/components.js";

async function draw(component: string, props: unknown, language: string) {
  const { default: components }: { default?: unknown } = await import(address);
  if (typeof components !== "object" || components === null) return undefined;
  if (!Object.hasOwn(components, component)) return undefined;
  const make: unknown = Reflect.get(components, component);
  if (typeof make !== "function") return undefined;
  const drawn: unknown = await make(props, { language });
  if (drawn instanceof Node || typeof drawn === "string") return drawn;
  throw new TypeError("expected a DOM node or a text");
}
