import type { FieldFaultCode, ProblemCode } from '#lib/problem.ts';
import texts from './problems.json' with { type: 'json' };

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The sentence for a refusal without a more specific sentence. */
  readonly detail: string;
  /** The cause, for a developer who sees this problem for the first time. */
  readonly meaning: string;
  /** The next step. */
  readonly remedy: string;
}

/** Every code's status, words and page (contract §7). A missing code does not compile. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = texts.problems;

/** The meaning of each field code of a VALIDATION_ERROR (contract §7). */
export const FIELD_FAULT_MEANINGS: Readonly<Record<FieldFaultCode, string>> = texts.fieldFaults;

const CHALLENGE = ['WWW-Authenticate'] as const;
const RETRY = ['Retry-After'] as const;

/** The headers that come with a problem and add details. */
const HEADERS = {
  API_KEY_MISSING: CHALLENGE,
  API_KEY_INVALID: CHALLENGE,
  ACCESS_TOKEN_MISSING: CHALLENGE,
  ACCESS_TOKEN_INVALID: CHALLENGE,
  ACCESS_TOKEN_EXPIRED: CHALLENGE,
  INSUFFICIENT_SCOPE: CHALLENGE,
  METHOD_NOT_ALLOWED: ['Allow'],
  IDEMPOTENCY_IN_PROGRESS: RETRY,
  RATE_LIMITED: RETRY,
  TEMPORARILY_UNAVAILABLE: RETRY,
} as const satisfies Partial<Record<ProblemCode, readonly string[]>>;

export type ProblemHeader = (typeof HEADERS)[keyof typeof HEADERS][number];

export function problemHeaders(code: ProblemCode): readonly ProblemHeader[] {
  return code in HEADERS ? HEADERS[code as keyof typeof HEADERS] : [];
}
