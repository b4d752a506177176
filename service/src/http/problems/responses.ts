import { randomUUID } from 'node:crypto';
import type { FieldFault, ProblemCode } from '#lib/problem.ts';
import { PROBLEMS } from './kinds.ts';

/** The last part of a problem's `type`: VALIDATION_ERROR → `validation-error`. */
export function problemName(code: ProblemCode): string {
  return code.toLowerCase().replaceAll('_', '-');
}

export interface ProblemContext {
  /** The origin of {base_url}: the pages at `/problems/…` are served there (contract §7). */
  readonly origin: string;
  readonly requestId: string;
  readonly now: Date;
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldFault[];
}

/** An answer lists all faults (contract §7), and no call has as many fields. A body with thousands
 *  of unknown members must not cause an answer many times its size. */
export const MOST_FAULTS = 100;
/** Longer than the path of any field; only unknown members have longer names. */
const LONGEST_NAME = 256;
/** Room for a name and a sentence about that name. */
const LONGEST_MESSAGE = 512;

/** The members of a problem document (RFC 9457), in the order of contract §7. */
export function problemBody(code: ProblemCode, context: ProblemContext) {
  const kind = PROBLEMS[code];
  const errors = context.errors ?? [];
  return {
    type: `${context.origin}/problems/${problemName(code)}`,
    title: kind.title,
    status: kind.status,
    detail: context.detail ?? (errors.length > 0 ? countFaults(errors.length) : kind.detail),
    instance: `urn:uuid:${randomUUID()}`,
    code,
    requestId: context.requestId,
    timestamp: context.now.toISOString(),
    ...(errors.length > 0 && { errors: errors.slice(0, MOST_FAULTS).map(faultMembers) }),
  };
}

function countFaults(count: number): string {
  if (count > MOST_FAULTS) {
    return `${count} fields are invalid; the first ${MOST_FAULTS} are listed.`;
  }
  return count === 1 ? '1 field is invalid.' : `${count} fields are invalid.`;
}

function faultMembers({ field, code, message, pointer }: FieldFault) {
  return {
    field: shortened(field, LONGEST_NAME),
    pointer: shortened(pointer ?? pointerOf(field), LONGEST_NAME),
    code,
    message: shortened(message, LONGEST_MESSAGE),
  };
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** RFC 6901: `payer.email` → `/payer/email`. */
function pointerOf(field: string): string {
  if (field === '') return '';
  const parts = field.split('.').map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `/${parts.join('/')}`;
}
