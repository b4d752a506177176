import type { FastifySchema } from 'fastify';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { ACCESS_PROBLEM_CODES, PROBLEM_CODES, type ProblemCode } from '#lib/problem.ts';

/** The problems that any call can be answered with. */
const OF_EVERY_CALL: readonly ProblemCode[] = [
  'MALFORMED_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'TEMPORARILY_UNAVAILABLE',
];

const OF_BODIES: readonly ProblemCode[] = [
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** The problem codes of a call, by status, in the order of the closed list. */
export function problemsOfOperation(schema: FastifySchema): ReadonlyMap<number, ProblemCode[]> {
  const codes = new Set([
    ...OF_EVERY_CALL,
    ...(schema.scopes ? ACCESS_PROBLEM_CODES : []),
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
