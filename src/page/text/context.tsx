import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Words } from "./words.js";

/** The words of the chosen language. */
export const WordsContext = createContext<Words | undefined>(undefined);

/** What the page says. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === undefined) throw new Error("The words of the page are not loaded.");
  return words;
}
