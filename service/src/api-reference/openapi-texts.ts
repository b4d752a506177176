import { OUTCOME_DESCRIPTIONS } from '#sandbox/outcome-descriptions.ts';

/** The text of the document before its calls, as Markdown. */
export const API_DESCRIPTION = `
Create a payment request, open its \`paymentLink\` for the payer, and wait for the webhook: the
payer chooses an institution, signs in there and confirms. Fulfil the order only on \`PAID\`.

## Two headers

Every payment-request call needs both: \`Authorization: Bearer\` with an access token from the
[token call](#tag/access), and \`x-api-key\` with your API key. Both belong to one environment.

## Refusals

Every refusal is a problem document (RFC 9457). Decide by \`code\`; \`type\` leads to a page that
explains it, and [all of them](/problems) are listed. A call that was refused with 4xx did nothing.

## Sending a call again

Send an \`Idempotency-Key\` with each create: when the answer is lost, the same call with the same
key gets the first answer again instead of a second payment request. 429 and 503 say in
\`Retry-After\` when to send a call again.

## Verifying a webhook

1. Make the key: leave out \`whsec_\` and decode the rest of the signing secret from base64. The
   key has 32 bytes; the text of the secret is not the key.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body with dots. Take the bytes of the body as
   they came, before any parsing.
3. Compute the HMAC-SHA-256 of these bytes and encode it in base64.
4. Accept the webhook if the result equals one signature of \`webhook-signature\` behind its
   \`v1,\`, in constant time, and if \`webhook-timestamp\` is within 5 minutes of now.

With these values your code must find this signature:

| part | value |
|---|---|
| signing secret | \`whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1fQm0Vt3a2c=\` |
| webhook-id | \`018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01\` |
| webhook-timestamp | \`1772366410\` |
| body | \`{"amount":10.00}\` |
| webhook-signature | \`v1,hrfmi5LjCF7q9KInlpIHJMuAkQH7hzTLE7v7w9RKhvY=\` |

## What may be added

Within \`/v1\` there are only additions: new resources, optional parameters, members and enumerated
values. Ignore what you do not know.
`.trim();

/** The text before the calls of a sandbox deployment. */
export const SANDBOX_DESCRIPTION = `

## The sandbox

No money moves here, and payment links lead to an error page on purpose. The payer's name decides
what becomes of a payment request; any other name leaves it \`CREATED\`:

| payer.name | what happens |
|---|---|
${OUTCOME_DESCRIPTIONS.map(([name, effect]) => `| \`${name}\` | ${effect} |`).join('\n')}
`;

/** The groups of calls, in reading order. */
export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Access', description: 'The token that every payment-request call needs.' },
  {
    name: 'Payment requests',
    description: 'Create, read, list, change and cancel payment requests, and see what happened.',
  },
  {
    name: 'Refunds',
    description: 'Give money of a paid payment request back, all or a part, and follow it.',
  },
  {
    name: 'Ledger',
    description: 'Every movement of your money, and the sums of each day.',
  },
  { name: 'Sandbox', description: 'Outcomes by hand; not in production.' },
  {
    name: 'Webhooks',
    description: 'Endpoints, deliveries with their outcomes, and the requests to your listener.',
  },
];
