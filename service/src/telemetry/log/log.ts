import { hostname } from 'node:os';
import pino from 'pino';
import { systemClock } from '#lib/clock.ts';
import { formatInstant } from '#lib/instant.ts';
import { describeError } from './describe-error.ts';
import { joinLines } from './join-lines.ts';
import { LOG_FIELDS, type LogField } from './log-fields.ts';
import { redactText } from './redact-text.ts';

/**
 * A JSON line for each call: `log.info({ paymentRequestId, from, to }, 'payment request moved')`.
 */
export type Log = Omit<pino.Logger, LogMethod> &
  Readonly<Record<LogMethod, WriteLine>> & { readonly writeInfo: WriteMembers };

type LogMethod = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
/** A field that is not in `LOG_FIELDS` does not compile, because the line would lose it. */
interface WriteLine {
  (fields: LineFields | Error, message: string): void;
  (message: string): void;
}
/**
 * Writes a line of the level info whose members are JSON already, each behind a comma. Their names
 * and values must be such as `info` would write.
 */
type WriteMembers = (members: string, message: string) => void;
type LineFields = Readonly<Partial<Record<LogField, unknown>>>;

export interface LogOptions {
  /** The least level that is written. */
  readonly level: pino.LevelWithSilent;
  /** The output of the lines; by default standard output. */
  readonly destination?: pino.DestinationStream;
}

/** A write costs as much as ten lines. The size is just below 16 KiB, the largest single write. */
const FEWEST_CHARACTERS = 16_000;
/**
 * A reader of the log does not notice this delay; a killed process loses no more than this of its
 * log.
 */
const LONGEST_DELAY_MS = 100;
/** If the reader of the output hangs, lines beyond this are lost, not memory. */
export const MOST_BUFFERED_BYTES = 8 * 1024 * 1024;
/** Identifiers and route patterns are far shorter. */
const LONGEST_VALUE = 500;
const MOST_LISTED = 50;
/** Messages are fixed sentences, several times fewer than this; further messages are not cached. */
const MOST_MESSAGES = 500;

const ALLOWED: ReadonlySet<string> = new Set(LOG_FIELDS);
/** Fields that hold sentences, which may quote typed text. */
const FREE_TEXT: ReadonlySet<string> = new Set(['reason', 'faults']);

/**
 * Opens the log: JSON lines with `level`, `time` (ISO 8601), `msg` and the fields of `LOG_FIELDS`.
 * Other fields are left out, and `droppedFields` lists their names. Quoted values, e-mails, long
 * numbers and credentials of an error are blanked (contract: no payer data, no secrets).
 */
export function createLog({ level, destination }: LogOptions): Log {
  const base = { pid: process.pid, hostname: hostname() };
  const output = destination ?? standardOutput();
  const options: pino.LoggerOptions = {
    level,
    base,
    timestamp,
    // The formatter has already made every value plain; pino's own error serializer writes the
    // whole error.
    serializers: { err: (value) => value },
    formatters: {
      level: (label) => ({ level: label }),
      log: keepAllowed,
    },
    hooks: { logMethod: withoutInterpolation },
  };
  const log = pino(options, output);
  const ofProcess = JSON.stringify(base).slice(1, -1);
  const writeInfo: WriteMembers = (members, message) => {
    if (!log.isLevelEnabled('info')) return;
    output.write(`{"level":"info"${timestamp()},${ofProcess}${members},"msg":"${message}"}\n`);
  };
  const child = log.child;
  // pino runs no formatter over a child's bindings.
  log.child = function (this: pino.Logger, bindings: pino.Bindings, childOptions?: object) {
    return child.call(this, keepAllowed(bindings), childOptions);
  } as typeof log.child;
  return Object.assign(log, { writeInfo });
}

function timestamp(): string {
  return `,"time":"${formatInstant(systemClock.now())}"`;
}

/** Written without waiting for the reader, and flushed when the process exits. */
function standardOutput(): pino.DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, maxLength: MOST_BUFFERED_BYTES });
  const limits = { fewest: FEWEST_CHARACTERS, longestDelayMs: LONGEST_DELAY_MS };
  const joined = joinLines(output, limits);
  process.on('beforeExit', () => joined.flush());
  process.on('exit', () => {
    output.flushSync();
    joined.flush(pino.destination({ fd: 1, sync: true }));
  });
  return joined;
}

type LogArguments = Parameters<pino.LogFn>;

const redactedMessages = new Map<string, string>();

function redactMessage(message: string): string {
  const known = redactedMessages.get(message);
  if (known !== undefined) return known;
  const redacted = redactText(message);
  if (redactedMessages.size < MOST_MESSAGES) redactedMessages.set(message, redacted);
  return redacted;
}

/** `%s` would bypass the list of fields, and a bare error's message would be logged whole. */
function withoutInterpolation(this: pino.Logger, args: LogArguments, method: pino.LogFn): void {
  const [first, second] = args as readonly unknown[];
  if (typeof first === 'string') {
    method.call(this, redactMessage(first));
    return;
  }
  const fields = first instanceof Error ? { err: first } : first;
  const message = typeof second === 'string' ? redactMessage(second) : 'error';
  method.call(this, (fields ?? {}) as object, message);
}

function keepAllowed(fields: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const name of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const plain = ALLOWED.has(name) ? plainValue(name, value) : undefined;
    if (plain !== undefined) kept[name] = plain;
    else if (dropped.length < MOST_LISTED) dropped.push(name.slice(0, LONGEST_VALUE));
  }
  if (dropped.length > 0) kept.droppedFields = dropped;
  return kept;
}

/** The value in its form for a log line; `undefined` for an object, which could hold any data. */
function plainValue(name: string, value: unknown): unknown {
  if (name === 'err') return describeError(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (FREE_TEXT.has(name)) return redactText(value);
    return value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_LISTED).map((item) => plainValue(name, item));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  return undefined;
}
