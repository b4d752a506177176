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

type Members = Record<string, unknown>;

/**
 * The body of an answer or of a webhook without its payer, and without the members that may speak
 * of the payer: displayMessage and metadata. Every other byte stays, amounts included. Pure.
 */
export function redactPayer(body: string): string {
  const document = parse(body, keepNumber) as Members;
  const resource = document.resource as Members | undefined;
  return JSON.stringify(
    resource ? { ...document, resource: redacted(resource) } : redacted(document),
  );
}

function redacted(paymentRequest: Members): Members {
  const kept = Object.entries(paymentRequest).filter(
    ([name]) => !REMOVED.some((removed) => removed === name),
  );
  return { ...Object.fromEntries(kept), payer: ERASED_PAYER };
}

/** `10.00` stays `10.00`. */
function keepNumber(_name: string, value: unknown, { source }: ReadContext): unknown {
  return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
}
