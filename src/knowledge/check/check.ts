import { z } from "zod";

import { PlangraphError } from "../../errors.js";
import { defined } from "../../json/json.js";
import type { Chunk } from "../store/store.js";
import { hintAt } from "../../run/check-names.js";
import { issueLines } from "../../run/errors.js";
import type { Recall, StageName } from "../recall/stage.js";
import { folded } from "../../evidence/fold.js";
import { type Measures, measuresOf, type Refusal, thresholdFor } from "./measures.js";

/** A question whose answer is known: where it stands, or that there is none. */
export type LabelledQuestion = {
  readonly question: string;
  /** The source that answers it, or the end of its name. Without `source` and `text` nothing answers the question. */
  readonly source?: string;
  /** Words that the right piece has, in its text or headings. */
  readonly text?: string;
  /** Where the question stands, for errors. */
  readonly where?: string;
};

/** How good a base is, measured on labelled questions. */
export type KnowledgeCheck = {
  readonly answerable: number;
  readonly unanswerable: number;
  /** How each stage does on its own; "reranked" is what a recall gives. */
  readonly stages: readonly { readonly stage: StageName; readonly measures: Measures }[];
  /** What the found threshold does; absent without questions of both kinds, or where scores cannot be compared. */
  readonly refusal?: Refusal;
  /** What gave the scores, such as "features"; absent where several did, or where they are no more than an order. */
  readonly by?: string;
  /** What is wrong with the questions: a source that the base does not have. */
  readonly problems: readonly string[];
  /** What went wrong while the questions were asked, each once. */
  readonly notes: readonly string[];
  /** The questions whose answer is not among the first five. */
  readonly missed: readonly { readonly question: string; readonly rank?: number }[];
};

type Recalling = {
  readonly recall: (question: string) => Promise<Recall>;
  readonly chunks: (ids: readonly string[]) => Promise<readonly Chunk[]>;
  readonly sources: () => Promise<readonly { readonly name: string }[]>;
};

/** Asks all questions and measures the ranks of their answers, and the threshold that keeps the given share. */
export async function checkQuestions(
  questions: readonly LabelledQuestion[],
  keep: number,
  base: Recalling,
): Promise<KnowledgeCheck> {
  const names = (await base.sources()).map(({ name }) => name);
  const asked = [];
  for (const one of questions) asked.push(await ask(one, base));
  const answerable = asked.filter(({ labelled }) => isAnswerable(labelled));
  const others = asked.filter(({ labelled }) => !isAnswerable(labelled));
  const stages = [...new Set(asked.flatMap(({ ranks }) => [...ranks.keys()]))];
  const by = scoredBy(asked);
  const refusal =
    by === undefined ? undefined : thresholdFor(answerable.map(best), others.map(best), keep);
  const missed = answerable.flatMap(({ labelled, ranks }) => {
    const rank = ranks.get("reranked");
    const is = rank !== undefined && rank <= 5;
    return is ? [] : [{ question: labelled.question, ...(rank === undefined ? {} : { rank }) }];
  });
  return {
    answerable: answerable.length,
    unanswerable: others.length,
    stages: stages.map((stage) => ({
      stage,
      measures: measuresOf(answerable.map(({ ranks }) => ranks.get(stage))),
    })),
    ...defined({ refusal, by }),
    missed,
    problems: questions.flatMap((one) => labelProblems(one, names)),
    notes: [...new Set(asked.flatMap(({ notes }) => notes))],
  };
}

type Asked = {
  readonly labelled: LabelledQuestion;
  readonly best: number;
  readonly ranks: ReadonlyMap<StageName, number | undefined>;
  /** What gave the scores; absent where nothing was found. */
  readonly by?: string;
  readonly notes: readonly string[];
};

/** What gave the scores of all questions, if it was one and the same. */
function scoredBy(asked: readonly Asked[]): string | undefined {
  const [first, ...others] = new Set(asked.flatMap(({ by }) => by ?? []));
  return others.length === 0 && first !== byOrder ? first : undefined;
}

/** Stands for scores that are no more than an order. */
const byOrder = "order";

function best(asked: Asked): number {
  return asked.best;
}

function isAnswerable({ source, text }: LabelledQuestion): boolean {
  return source !== undefined || text !== undefined;
}

async function ask(labelled: LabelledQuestion, { recall, chunks }: Recalling): Promise<Asked> {
  const { question } = labelled;
  const { stages, notes } = await recall(question);
  const ids = [...new Set(stages.flatMap(({ candidates }) => candidates.map(({ id }) => id)))];
  const right = new Set(
    (await chunks(ids)).filter((one) => isRight(one, labelled)).map(({ id }) => id),
  );
  const ranks = stages.map(({ stage, candidates }) => {
    const at = candidates.findIndex(({ id }) => right.has(id));
    return [stage, at < 0 ? undefined : at + 1] as const;
  });
  const last = stages.find(({ stage }) => stage === "reranked");
  const [top] = last?.candidates ?? [];
  const { by = byOrder } = last ?? {};
  const scored = top === undefined ? {} : { by };
  return { labelled, best: top?.score ?? 0, ranks: new Map(ranks), ...scored, notes };
}

/** A label that names no source of the base: its question cannot be found. */
function labelProblems(
  { question, source, where = `"${question}"` }: LabelledQuestion,
  names: readonly string[],
): readonly string[] {
  if (source === undefined || names.some((name) => isOfSource(name, source))) return [];
  const hint = hintAt(source, names);
  return [`${where}: the base has no source "${source}", and none whose name ends so.${hint}`];
}

function isOfSource(name: string, source: string | undefined): boolean {
  return source === undefined || name.endsWith(source);
}

function isRight(chunk: Chunk, { source, text }: LabelledQuestion): boolean {
  const whole = folded([...chunk.path, ...chunk.questions, chunk.text].join("\n"));
  return isOfSource(chunk.source, source) && (text === undefined || whole.includes(folded(text)));
}

const Labels = z.array(
  z.strictObject({
    question: z.string(),
    source: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    where: z.string().optional(),
  }),
);

/** Refuses questions that cannot be measured. Throws `invalid_input`. */
export function checkLabels(questions: readonly LabelledQuestion[]): void {
  const { error } = Labels.safeParse(questions);
  if (error !== undefined) throw unfit([...issueLines(error.issues), `expected ${forms}`]);
  const problems = questions.flatMap(({ question, where = "a question" }, at) => {
    if (question.trim() === "") return [`${where} is empty`];
    const isTwice = questions.slice(0, at).some((other) => other.question === question);
    return isTwice ? [`${where} asks what another one asks: "${question}"`] : [];
  });
  if (questions.length === 0) problems.push("there is none");
  if (problems.length > 0) throw unfit(problems);
}

const forms = "a list of { question, source, text }, the last two only where there is an answer";

function unfit(problems: readonly string[]): PlangraphError {
  const message = `The questions do not fit: ${problems.join("; ")}.`;
  return new PlangraphError("invalid_input", message);
}
