import type { FastifySchema } from 'fastify';
import { PROBLEMS } from '#http/problem-kinds.ts';
import { PROBLEM_CODES, type ProblemCode } from '#lib/problem.ts';

/** What any call can be answered with. */
const OF_EVERY_CALL: readonly ProblemCode[] = [
  'MALFORMED_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'TEMPORARILY_UNAVAILABLE',
];

/** What the check of a merchant's call refuses with (contract §4, the order of the checks). */
const OF_MERCHANTS: readonly ProblemCode[] = [
  'API_KEY_MISSING',
  'API_KEY_INVALID',
  'ACCESS_TOKEN_MISSING',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_EXPIRED',
  'CREDENTIAL_MISMATCH',
  'INSUFFICIENT_SCOPE',
  'MERCHANT_SUSPENDED',
  'RATE_LIMITED',
];

const OF_BODIES: readonly ProblemCode[] = [
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** The codes that a call can be refused with, by status, in the order of the closed list. */
export function problemsOfOperation(schema: FastifySchema): ReadonlyMap<number, ProblemCode[]> {
  const codes = new Set([
    ...OF_EVERY_CALL,
    ...(schema.scopes ? OF_MERCHANTS : []),
    ...(schema.body ? OF_BODIES : []),
    ...(schema.querystring || schema.callHeaders?.includes('Idempotency-Key')
      ? (['VALIDATION_ERROR'] as const)
      : []),
    ...(schema.problems ?? []),
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of PROBLEM_CODES.filter((each) => codes.has(each))) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
