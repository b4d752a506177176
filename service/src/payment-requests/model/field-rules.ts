import { INSTANT_FORM, parseInstant } from '#lib/instant.ts';
import type { FieldFault, FieldFaultCode } from '#lib/problem.ts';
import { FORMAT_FORMS } from '#lib/text-forms.ts';
import { type ExpiryTimes, expiryFault, expiryRange } from './expiry.ts';
import { CHANGEABLE_FIELDS } from './field-lists.ts';
import type { Field } from './field-types.ts';
import { FIELDS } from './fields.ts';
import type { WebhookUrlField } from './payment-request.ts';

/**
 * The rules that no schema can express, for the fields of creations and updates (contract §4). The
 * rules validate only members of the right type: the schema has faulted all others.
 */

/** The schema's date format validates months and leap years, but accepts the year 0. */
export function dueDateFaults(dueDate: unknown): FieldFault[] {
  if (typeof dueDate !== 'string' || !dueDate.startsWith('0000')) return [];
  return [fault('dueDate', 'INVALID_FORMAT', `Give dueDate ${FORMAT_FORMS.date}.`)];
}

/** Finds an expiry that is no instant, or lies too near to or too far from `now`. */
export function expiryDateTimeFaults(
  expiryDateTime: unknown,
  now: Date,
  times: ExpiryTimes,
): FieldFault[] {
  if (typeof expiryDateTime !== 'string') return [];
  const expiresAt = parseInstant(expiryDateTime);
  if (!expiresAt) {
    const message = `Give expiryDateTime ${INSTANT_FORM}.`;
    return [fault('expiryDateTime', 'INVALID_FORMAT', message)];
  }
  const code = expiryFault(expiresAt, now, times);
  if (!code) return [];
  return [fault('expiryDateTime', code, `Give expiryDateTime ${expiryRange(times)}.`)];
}

/** A deployment has one currency; a call may name it. */
export function currencyFaults(asked: unknown, currency: string): FieldFault[] {
  if (typeof asked !== 'string' || asked === '' || asked === currency) return [];
  const message = `Give currency as ${currency}, the currency of this service, or leave it out.`;
  return [fault('currency', 'INVALID_VALUE', message)];
}

interface WebhookUrls {
  readonly webhookUrl?: unknown;
  readonly callbackUrl?: unknown;
}

/** A body may hold both names of the webhook URL only with equal values. */
export function webhookNameFaults({ webhookUrl, callbackUrl }: WebhookUrls): FieldFault[] {
  if (webhookUrl === undefined || callbackUrl === undefined) return [];
  if (webhookUrl === callbackUrl) return [];
  const message = 'Give webhookUrl or callbackUrl, or the same address in both.';
  return [fault('callbackUrl', 'INVALID_VALUE', message)];
}

/** The member that holds the webhook URL; null without a webhook URL. */
export function webhookUrlField(body: WebhookUrls): WebhookUrlField | null {
  if (body.webhookUrl !== undefined) return 'webhookUrl';
  return body.callbackUrl !== undefined ? 'callbackUrl' : null;
}

/** The fields that hold a merchant's own text. */
export const TEXT_FIELDS: ReadonlySet<string> = new Set(
  Object.entries(FIELDS).flatMap(([name, { kind, rule }]: [string, Field]) =>
    kind !== 'CHECKED' && holdsText(rule) ? [name] : [],
  ),
);

/** The changeable fields that hold a merchant's own text. */
export const CHANGEABLE_TEXT_FIELDS: ReadonlySet<string> = TEXT_FIELDS.intersection(
  new Set(CHANGEABLE_FIELDS),
);

/** The schema validates constants, dates and instants whole. */
function holdsText(rule: object): boolean {
  const { type } = rule as { readonly type?: string };
  return type === 'object' || (type === 'string' && !('const' in rule) && !('format' in rule));
}

/** The database keeps Unicode text: no NUL, no half of a surrogate pair. */
export function textFaults(body: object, membersKept: ReadonlySet<string>): FieldFault[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (membersKept.has(name)) findUnstorable(value, name, found);
  }
  return found.map((field) =>
    fault(field, 'INVALID_FORMAT', `${field} has characters that are not text.`),
  );
}

/** Adds to `found` the paths of texts and keys that the database cannot keep. */
function findUnstorable(value: unknown, field: string, found: string[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push(field);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const here = `${field}.${key}`;
    if (isStorable(key)) findUnstorable(member, here, found);
    else found.push(here);
  }
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}

export function fault(field: string, code: FieldFaultCode, message: string): FieldFault {
  return { field, code, message };
}
