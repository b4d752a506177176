import { FIELD_FAULT_CODES, type FieldFault, type ProblemCode } from '#lib/problem.ts';
import { FIELD_FAULT_MEANINGS, PROBLEMS, problemHeaders } from './kinds.ts';
import { problemBody } from './responses.ts';

/** An example is the same each time: a moment, an id and a request of its own. */
const EXAMPLE_AT = new Date('2026-03-01T12:00:00.000Z');
const EXAMPLE_REQUEST_ID = '4f0c2a52-7d8e-4b1c-9a43-0d8f0f6c2b11';
const EXAMPLE_INSTANCE = 'urn:uuid:9d3a5c0e-6c1b-4a57-8e2f-3b7d1f0a9c44';

const EXAMPLE_FAULTS: readonly FieldFault[] = [
  { field: 'amount', code: 'TOO_MANY_DECIMALS', message: 'Give amount at most two decimals.' },
  {
    field: 'payer.email',
    code: 'REQUIRED_ONE_OF',
    message: 'Give payer.email or payer.mobileNumber.',
  },
];

/** The problem document as an answer with this code has it. */
export function exampleProblem(code: ProblemCode, origin: string) {
  const errors = code === 'VALIDATION_ERROR' ? EXAMPLE_FAULTS : [];
  const body = problemBody(code, {
    origin,
    requestId: EXAMPLE_REQUEST_ID,
    now: EXAMPLE_AT,
    errors,
  });
  return { ...body, instance: EXAMPLE_INSTANCE };
}

export type ProblemDescription = ReturnType<typeof describeProblem>;

/** A problem in one line of the list. */
export function summarizeProblem(code: ProblemCode, origin: string) {
  const { status, title, type } = exampleProblem(code, origin);
  return { type, code, status, title, meaning: PROBLEMS[code].meaning };
}

/** All that its page says. */
export function describeProblem(code: ProblemCode, origin: string) {
  const { meaning, remedy } = PROBLEMS[code];
  const example = exampleProblem(code, origin);
  const { type, status, title } = example;
  const fieldCodes =
    code === 'VALIDATION_ERROR'
      ? FIELD_FAULT_CODES.map((each) => ({ code: each, meaning: FIELD_FAULT_MEANINGS[each] }))
      : undefined;
  return {
    type,
    code,
    status,
    title,
    meaning,
    remedy,
    headers: problemHeaders(code),
    fieldCodes,
    example,
  };
}
