import type { AnsweredLine, Asked, CallName, HistoryLine, SentLine } from '../history-line.ts';

type AskedOf<Name extends CallName> = Extract<Asked, { readonly name: Name }>;

/** A call with its answer. */
export interface Call<OfAsked extends Asked = Asked> {
  readonly sent: Omit<SentLine, 'asked'> & { readonly asked: OfAsked };
  /** null: the run ended before. */
  readonly answered: AnsweredLine | null;
}

/** Every call of the history with its answer, in the order of sending. */
export function matchCalls(lines: readonly HistoryLine[]): Call[] {
  const answers = new Map<number, AnsweredLine>();
  for (const line of lines) if (line.kind === 'answered') answers.set(line.call, line);
  return lines
    .filter((line) => line.kind === 'sent')
    .map((sent) => ({ sent, answered: answers.get(sent.call) ?? null }));
}

/** The calls of one name. */
export function callsOf<Name extends CallName>(
  calls: readonly Call[],
  name: Name,
): Call<AskedOf<Name>>[] {
  return calls.filter(({ sent }) => sent.asked.name === name) as Call<AskedOf<Name>>[];
}

/** Whether an answer leaves it possible that the call was done. */
export function mayBeDone({ answered }: Call): boolean {
  return answered?.outcome !== 'refused' || answered.code === 'IDEMPOTENCY_IN_PROGRESS';
}
