// What the models do offline: the sentence that answers a question, and the answer.
type Line = {
  /** The sentence of the documents; absent where none answers. */
  readonly quote?: string;
  readonly answer: string;
  /** What is searched for in place of the question. */
  readonly searched?: string;
};

/** What is answered in cases, by id. */
export type Script = { readonly [id: string]: Line };

/** The sentence as it stands in the documents. */
const quoted = (quote: string): Line => ({ quote, answer: quote });

const unknown: Line = { answer: "I do not know: the documents do not say it." };
const unknownInChinese: Line = { answer: "我不知道：文件里没有写。" };

export const script: Script = {
  "adult-fare": quoted("An adult ticket from Veldholm to Sarn costs 18.40 crowns in 2026."),
  "child-fare": quoted("A child under 12 years pays 7.20 crowns in 2026."),
  "bicycle-fare": quoted("A bicycle costs 4.60 crowns for each crossing."),
  "alkeva-size": quoted("The Alkeva carries 412 passengers and 38 cars."),
  "crossing-time": quoted("The crossing from Veldholm to Sarn takes 73 minutes."),
  "winter-crossings": quoted(
    "In winter, from 3 November to 14 March, there are 2 crossings a day.",
  ),
  "summer-crossings": quoted("From 15 March to 2 November there are 6 crossings a day."),
  "weight-5": quoted("The Corvo 5 weighs 21.3 kg with its battery."),
  "weight-3": quoted("The Corvo 3 weighs 17.8 kg with its battery."),
  "range-5": quoted("The battery of the Corvo 5 lasts for 134 km."),
  "price-5": quoted("The Corvo 5 costs 3,290 crowns."),
  "frame-warranty": quoted("The warranty on the frame is 11 years."),
  "visitors-2024": quoted("In 2024 the lighthouse museum had 47,610 visitors."),
  "visitors-2025": quoted("In 2025 the lighthouse museum had 52,940 visitors."),
  "closed-day": quoted("The lighthouse museum is closed on Tuesdays."),
  steps: quoted("The lighthouse has 214 steps."),
  "books-zh": quoted("每位读者最多可以借14本书。"),
  "loan-days-zh": quoted("借书期限是26天，可以续借一次。"),
  "adult-fare-2024": unknown,
  "visitors-2023": unknown,
  "visitors-2026": unknown,
  "fare-norrey": unknown,
  "steps-sarn": unknown,
  "library-veldholm": unknown,
  "price-3": unknown,
  "range-7": unknown,
  "motor-warranty": unknown,
  everest: unknown,
  boiling: unknown,
  "sunday-zh": unknownInChinese,
};
