import type { Readiness } from '#telemetry/health/readiness.ts';

/** What the parent asks a process for, and what it gets. */
export interface Answers {
  /** What stands still in the process; '' when nothing does. Any answer proves its event loop. */
  readonly liveness: string;
  readonly readiness: Readiness;
  /** Prometheus text. */
  readonly metrics: string;
}
export type Asked = keyof Answers;

/** From the parent to a process. */
export interface Question {
  readonly ask: Asked;
  readonly id: number;
}

/** From a process to its parent. */
export type Report =
  | { readonly started: true; readonly port: number | null }
  | { readonly id: number; readonly answer: Answers[Asked] };

/** Messages come from outside: Node's own and those of other programs are none of ours. */
export function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'ask' in message && 'id' in message;
}

export function isReport(message: unknown): message is Report {
  if (typeof message !== 'object' || message === null) return false;
  return 'started' in message || ('id' in message && 'answer' in message);
}
