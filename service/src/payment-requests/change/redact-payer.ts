/** TypeScript does not know them yet: the text of a number as it was read, and as it is written. */
type ReadContext = { readonly source?: string };
const { rawJSON, parse } = JSON as unknown as {
  rawJSON: (text: string) => unknown;
  parse: (
    text: string,
    reviver: (name: string, value: unknown, context: ReadContext) => unknown,
  ) => unknown;
};

/** What stands in an erased payer's place. The domain is reserved: nobody has it (RFC 2606). */
export const ERASED_PAYER = { name: 'Erased', email: 'erased@erased.invalid' } as const;

type Members = Record<string, unknown>;

/**
 * The body of an answer or of a webhook without its payer, and without what the merchant may have
 * written of the payer: displayMessage and metadata. All else stays to the letter, amounts
 * included. Pure.
 */
export function redactPayer(body: string): string {
  const document = parse(body, keepNumber) as Members;
  const resource = document.resource as Members | undefined;
  return JSON.stringify(
    resource ? { ...document, resource: redacted(resource) } : redacted(document),
  );
}

function redacted(paymentRequest: Members): Members {
  const { displayMessage, metadata, ...kept } = paymentRequest;
  return { ...kept, payer: ERASED_PAYER };
}

/** `10.00` stays `10.00`. */
function keepNumber(_name: string, value: unknown, { source }: ReadContext): unknown {
  return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
}
