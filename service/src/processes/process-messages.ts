import type { Readiness } from '#telemetry/health/readiness.ts';

/** The parent's questions to a process, and their answers. */
export interface Answers {
  /**
   * The loops of the process that stand still; '' when all turn. Any answer proves its event loop.
   */
  readonly liveness: string;
  readonly readiness: Readiness;
  /** Prometheus text. */
  readonly metrics: string;
}
export type Asked = keyof Answers;

/** A message of the parent to a process. */
export interface Question {
  readonly ask: Asked;
  readonly id: number;
}

/** The parent's order to drain. */
export const STOP = { stop: true } as const;

export function isStopOrder(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'stop' in message;
}

/** A message of a process to its parent. */
export type Report =
  | { readonly started: true; readonly port: number | null }
  | { readonly id: number; readonly answer: Answers[Asked] };

/** Messages come from outside: Node and other programs also send messages. */
export function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'ask' in message && 'id' in message;
}

export function isReport(message: unknown): message is Report {
  if (typeof message !== 'object' || message === null) return false;
  return 'started' in message || ('id' in message && 'answer' in message);
}
