import { redactText } from './redact-text.ts';

/** Causes in the service are at most three levels deep; a cycle must end somewhere. */
const DEEPEST_CAUSE = 3;
/** Frames beyond these belong to the event loop and to Fastify. */
const MOST_FRAMES = 12;
/** A failed connection reports one error an address; the first few are enough. */
const MOST_AGGREGATED = 3;

/**
 * Members of PostgreSQL's errors that name the service's own schema; `detail` and `where` quote
 * values.
 */
const SCHEMA_MEMBERS = ['severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

export interface ErrorDescription {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorDescription;
  readonly errors?: readonly ErrorDescription[];
  readonly [schemaMember: string]: unknown;
}

/** The parts of an error that may stand in a log: never a quoted value, never a whole object. */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const members = error as Error & Record<string, unknown>;
  const frames = framesOf(error);
  return {
    type: error.name,
    ...(members.code === undefined ? {} : { code: String(members.code) }),
    message: redactText(error.message),
    ...schemaMembersOf(members),
    ...(depth === 0 && frames.length > 0 ? { stack: frames } : {}),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
    ...(error instanceof AggregateError && depth < DEEPEST_CAUSE
      ? {
          errors: error.errors
            .slice(0, MOST_AGGREGATED)
            .map((one) => describeError(one, depth + 1)),
        }
      : {}),
  };
}

/** Only the frames: the first lines of the stack repeat the message. */
function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim());
}

function schemaMembersOf(members: Record<string, unknown>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of SCHEMA_MEMBERS) {
    const value = members[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
