import { type Fault, fault, type Members, readInstant } from './find-faults.ts';
import { Problem } from './problem.ts';
import { CREATE_ERRORS, LIMITS, OUTCOMES, SCHEMAS } from './tables.ts';

const DAY_MS = 86_400_000;
const LEAST_AHEAD_MS = LIMITS.leastExpirySeconds * 1000;

export interface Step {
  readonly afterSeconds: number;
  readonly cause: string;
  /** Whether it is money that comes after the end. */
  readonly isLate: boolean;
  readonly reason: string | null;
}

/** The rules of payer, dates and URLs that no schema states (contract §4). */
export function ruleFaults(body: Members, now: Date, currency: string): Fault[] {
  const { deliveryMode, payer } = body;
  const given = (payer ?? {}) as Members;
  const channel = deliveryMode === 'EMAIL' ? 'email' : deliveryMode === 'SMS' && 'mobileNumber';
  return [
    ...currencyFaults(body, currency),
    ...(channel && given[channel] === undefined
      ? [fault(`payer.${channel}`, 'REQUIRED', `too: deliveryMode is ${deliveryMode}`)]
      : []),
    ...payerFaults(payer),
    ...expiryFaults(body.expiryDateTime, now),
    ...urlFaults(body),
  ];
}

export function currencyFaults(body: Members, currency: string): Fault[] {
  if (!isText(body.currency) || body.currency === currency) return [];
  return [fault('currency', 'INVALID_VALUE', `as ${currency}, or leave it out`)];
}

export function payerFaults(payer: unknown): Fault[] {
  if (typeof payer !== 'object' || payer === null) return [];
  const { name, email, mobileNumber } = payer as Members;
  const faults: Fault[] = [];
  if (isText(name)) {
    const { length } = [...name.trim()];
    if (length === 0) faults.push(fault('payer.name', 'TOO_SHORT', 'in some characters'));
    if (length > 100) faults.push(fault('payer.name', 'TOO_LONG', 'at most 100 characters'));
  }
  if ((email ?? mobileNumber ?? undefined) === undefined) {
    faults.push(fault('payer.email', 'REQUIRED_ONE_OF', 'or payer.mobileNumber'));
  }
  if (isText(email) && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    faults.push(fault('payer.email', 'INVALID_FORMAT', 'as an e-mail address'));
  }
  if (isText(mobileNumber) && !/^\d{10,15}$/.test(mobileNumber.replace(/[+\-() ]/g, ''))) {
    faults.push(fault('payer.mobileNumber', 'INVALID_FORMAT', 'with 10 to 15 digits'));
  }
  return faults;
}

export function expiryFaults(expiryDateTime: unknown, now: Date): Fault[] {
  const at = readInstant(expiryDateTime);
  if (at === null) return [];
  const aheadMs = at - now.getTime();
  const isFar = aheadMs > LIMITS.longestExpirySeconds * 1000;
  if (aheadMs >= LEAST_AHEAD_MS && !isFar) return [];
  const code = isFar ? 'TOO_HIGH' : 'TOO_LOW';
  return [fault('expiryDateTime', code, '5 minutes to 365 days ahead')];
}

/** The expiry of a payment request without one of its own. */
export function defaultExpiry(createdMs: number, dueDate: unknown, nowMs: number): number {
  const endOfDay = isText(dueDate) ? Date.parse(`${dueDate}T00:00Z`) + DAY_MS : 0;
  const wanted = Math.max(createdMs + LIMITS.defaultExpirySeconds * 1000, endOfDay);
  const most = createdMs + LIMITS.longestExpirySeconds * 1000;
  return Math.max(Math.min(wanted, most), nowMs + LEAST_AHEAD_MS);
}

export function urlFaults(body: Members): Fault[] {
  const { webhookUrl, callbackUrl } = body;
  const isOne = webhookUrl === undefined || callbackUrl === undefined || webhookUrl === callbackUrl;
  const wrong = ['webhookUrl', 'callbackUrl', 'returnUrl'].filter((name) => {
    const text = body[name];
    if (!isText(text) || text === '') return false;
    const { protocol, username, password } = URL.canParse(text) ? new URL(text) : ({} as URL);
    return protocol !== 'https:' || username !== '' || password !== '';
  });
  return [
    ...(isOne ? [] : [fault('callbackUrl', 'INVALID_VALUE', 'or webhookUrl, not two URLs')]),
    ...wrong.map((name) => fault(name, 'INVALID_VALUE', 'as a whole https:// URL')),
  ];
}

export function metadataFaults(metadata: unknown): Fault[] {
  const count = Object.keys((metadata ?? {}) as object).length;
  if (count <= LIMITS.mostMetadataKeys) return [];
  return [fault('metadata', 'TOO_LONG', `at most ${LIMITS.mostMetadataKeys} members`)];
}

/**
 * The steps that a payer's name asks for; none for an ordinary name.
 * @throws Problem that `createError` asks for; a list of faults for a wrong parameter
 */
export function stepsOfName(payerName: string): readonly Step[] | Fault[] {
  const [name = '', ...parameters] = payerName.split(':');
  const wrong = [fault('payer.name', 'INVALID_VALUE', 'with the parameter of this name')];
  if (name === 'createError') {
    const code = ownOf(CREATE_ERRORS, parameters.join(':'));
    if (code && code !== 'VALIDATION_ERROR') throw new Problem(code);
    return wrong;
  }
  const isFail = name === 'depositFail';
  const [reason, ...rest] = isFail ? parameters : [null, ...parameters];
  if (isFail && !codesOf('simulation').includes(reason)) return wrong;
  const rows = ownOf(OUTCOMES, isFail ? 'depositDecline' : name) ?? [];
  const seconds = secondsOf(rest);
  if (rows.length > 0 && seconds === null) return wrong;
  return rows.map(([after, cause, isLate, code]) => ({
    afterSeconds: (after * (seconds ?? 0)) / LIMITS.outcomeSeconds,
    ...{ cause, isLate, reason: reason ?? code },
  }));
}

/** A member of a table; names such as `constructor` are none. */
function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The codes that a simulated refusal can have. */
export function codesOf(name: 'simulation' | 'refundSimulation'): readonly unknown[] {
  return SCHEMAS[name].properties?.reason?.enum ?? [];
}

/** Reads the N of a name, which may be left out; null: the text is no N. */
export function secondsOf(parameters: readonly (string | null)[]): number | null {
  if (parameters.length === 0) return LIMITS.outcomeSeconds;
  const text = parameters.join(':');
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= LIMITS.mostOutcomeSeconds ? seconds : null;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
