import type { ProblemCode } from '../errors/codes.ts';
import { type Fault, firstFaults } from './find-faults.ts';
import { PROBLEMS } from './tables.ts';

/** A refusal of a call by the service of tests. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];
  readonly detail: string | undefined;

  constructor(
    code: ProblemCode,
    { faults = [], detail }: { faults?: Fault[]; detail?: string } = {},
  ) {
    super(code);
    this.code = code;
    this.faults = firstFaults(faults);
    this.detail = detail;
  }
}

/** @throws Problem VALIDATION_ERROR with the first fault of each field, if there are faults */
export function throwFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new Problem('VALIDATION_ERROR', { faults });
}

/** The answer of a refusal, as the service gives it (RFC 9457). */
export function problemAnswer(
  { code, faults, detail }: Problem,
  origin: string,
  now: Date,
): Response {
  const [status, title, sentence] = PROBLEMS[code] ?? [500, code, code];
  const requestId = crypto.randomUUID();
  const errors = faults.map((each) => ({ ...each, pointer: pointerOf(each.field) }));
  const body = {
    type: `${origin}/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: detail ?? (errors.length > 0 ? 'Fields are invalid.' : sentence),
    instance: `urn:uuid:${crypto.randomUUID()}`,
    code,
    requestId,
    timestamp: now.toISOString(),
    ...(errors.length > 0 && { errors }),
  };
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json; charset=utf-8',
    'x-request-id': requestId,
  };
  if (code === 'RATE_LIMITED') headers['retry-after'] = '1';
  if (code === 'TEMPORARILY_UNAVAILABLE') headers['retry-after'] = '2';
  return new Response(JSON.stringify(body), { status, headers });
}

function pointerOf(field: string): string {
  return field === '' ? '' : `/${field.split('.').join('/')}`;
}
