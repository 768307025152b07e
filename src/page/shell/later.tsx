import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component whose code is loaded when it is first drawn. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, draw] = useState(0);
    useEffect(() => {
      if (known !== undefined) return;
      const loaded = (component: ComponentType<Props>) => {
        known = component;
        draw((count) => count + 1);
      };
      load().then(loaded, () => undefined);
    }, []);
    const Known = known;
    return Known === undefined ? null : <Known {...props} />;
  };
}
