import type { FieldName } from '#payment-requests/model/field-lists.ts';
import type { Field, NamesWith } from '#payment-requests/model/field-types.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';

/** TypeScript lacks these types: the source text of a number, for reading and writing. */
type ReadContext = { readonly source?: string };
const { rawJSON, parse } = JSON as unknown as {
  rawJSON: (text: string) => unknown;
  parse: (
    text: string,
    reviver: (name: string, value: unknown, context: ReadContext) => unknown,
  ) => unknown;
};

/** The values that replace an erased payer's. */
export const ERASED_PAYER = {
  name: PAYER_FIELDS.name.erasedTo,
  email: PAYER_FIELDS.email.erasedTo,
} as const satisfies Readonly<Record<NamesWith<typeof PAYER_FIELDS, 'erasedTo', string>, string>>;

/** The members that an erasure removes, beside the payer. */
const REMOVED = (Object.keys(FIELDS) as FieldName[]).filter((name) => {
  const { knownTo }: Field = FIELDS[name];
  return name !== 'payer' && knownTo.includes('ERASURE');
});

/** A refund names no payer; its message was written for the payer's bank statement. */
const REMOVED_OF_REFUND = ['message'];

type Members = Record<string, unknown>;

/**
 * The body of an answer or of a webhook without its payer, and without the members that may speak
 * of the payer: displayMessage and metadata, and a refund's message. Every other byte stays,
 * amounts included. Pure.
 */
export function redactPayer(body: string): string {
  const document = parse(body, keepNumber) as Members;
  const resource = document.resource as Members | undefined;
  return JSON.stringify(
    resource ? { ...document, resource: redacted(resource) } : redacted(document),
  );
}

function redacted(resource: Members): Members {
  const isRefund = 'paymentRequestId' in resource;
  const removed: readonly string[] = isRefund ? REMOVED_OF_REFUND : REMOVED;
  const kept = Object.entries(resource).filter(([name]) => !removed.includes(name));
  return { ...Object.fromEntries(kept), ...(!isRefund && { payer: ERASED_PAYER }) };
}

/** `10.00` stays `10.00`. */
function keepNumber(_name: string, value: unknown, { source }: ReadContext): unknown {
  return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
}
