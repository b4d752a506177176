import { type Static, Type } from 'typebox';

/** Text that pages and logs can show: no control characters. */
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';
const PRINTABLE_ASCII = '^[\\x20-\\x7e]*$';

/** Contract §4, metadata. */
export const MOST_METADATA_KEYS = 20;
export const METADATA_KEY = { minLength: 1, maxLength: 40 } as const;
export const LONGEST_METADATA_VALUE = 500;

/** One line of text, as pages show it. */
export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: NO_CONTROL_CHARACTERS, description });

const PayerSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      pattern: NO_CONTROL_CHARACTERS,
      description:
        'The payer’s name, 1 to 100 characters after trimming. In the sandbox some names drive ' +
        'the simulator.',
    }),
    merchantAccountId: Type.Optional(text(64, 'Your account reference for the payer.')),
    email: Type.Optional(
      text(254, 'The payer’s e-mail address. At least one of email and mobileNumber is needed.'),
    ),
    mobileNumber: Type.Optional(
      text(40, 'The payer’s mobile number: 10 to 15 digits, beside + - ( ) and spaces.'),
    ),
    preferredLanguage: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2}(-[A-Za-z]{2})?$',
        description: 'Two letters, or xx-YY. Pages speak English and French.',
      }),
    ),
  },
  { description: 'Who is asked to pay.' },
);

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where this payment request’s webhook events are sent: an HTTPS address.',
});

/** The body of POST /payment-requests (interface §2; contract §4, Create). */
export const NewPaymentRequestSchema = Type.Object({
  merchantTransactionId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: PRINTABLE_ASCII,
      description: 'Your own reference for the transaction.',
    }),
  ),
  amount: Type.Number({
    description: 'The amount, above zero, with at most two decimals.',
  }),
  type: Type.Literal('ECOMM', { description: 'Always ECOMM for web applications.' }),
  deliveryMode: Type.Optional(Type.Literal('NONE')),
  merchant: Type.Optional(
    Type.Object({
      id: Type.Optional(text(64, 'Your merchant identifier; if sent it must be your own.')),
    }),
  ),
  payer: PayerSchema,
  dueDate: Type.Optional(
    Type.String({ format: 'date', description: 'Informational: a calendar date, YYYY-MM-DD.' }),
  ),
  expiryDateTime: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the link stops being payable: 5 minutes to 365 days ahead.',
    }),
  ),
  displayMessage: Type.Optional(text(250, 'Text shown to the payer.')),
  invoiceNumber: Type.Optional(text(50, 'Your invoice number.')),
  businessUnit: Type.Optional(text(50, 'Your business unit.')),
  emailTemplate: Type.Optional(
    Type.Object({ id: Type.Optional(text(64, 'Your e-mail template.')) }),
  ),
  webhookUrl: Type.Optional(WebhookUrl),
  callbackUrl: Type.Optional(WebhookUrl),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: LONGEST_METADATA_VALUE }), {
      maxProperties: MOST_METADATA_KEYS,
      propertyNames: METADATA_KEY,
      description: 'Your own keys and values, echoed: up to 20, keys of 1 to 40 characters.',
    }),
  ),
});

export type NewPaymentRequestBody = Static<typeof NewPaymentRequestSchema>;
