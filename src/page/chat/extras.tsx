import { shownIn, sourcesIn } from "../model/render.js";
import { useWords } from "../text/context.js";
import { ShownData } from "./shown-data.js";

/** What an answer has besides its words: what tools show, cards, sources. */
export function Extras({
  extra,
  text,
}: {
  readonly extra: Readonly<Record<string, unknown>>;
  readonly text: string;
}) {
  const words = useWords();
  const sources = sourcesIn(extra, text);
  return (
    <>
      {shownIn(extra).map((shown) => (
        <ShownData shown={shown} />
      ))}
      {sources.length > 0 && (
        <details class="sources">
          <summary>{`${words.sources} (${sources.length})`}</summary>
          <ul>
            {sources.map(({ quote, place }) => (
              <li>
                <q>{quote}</q> {place}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
