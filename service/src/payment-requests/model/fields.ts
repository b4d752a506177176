import { Type } from 'typebox';
import { LANGUAGE, NO_CONTROL_CHARACTERS, PRINTABLE_ASCII } from '#lib/text-forms.ts';
import { type Field, removable, rulesOf, text } from './field-types.ts';
import { DELIVERY_MODES, type Delivery, DeliverySchema } from './messages/delivery.ts';

/** Contract §4, metadata. */
export const MOST_METADATA_KEYS = 20;
const METADATA_KEY = { minLength: 1, maxLength: 40 } as const;
const LONGEST_METADATA_VALUE = 500;

/** The members of `payer`; their values lie in `PaymentRequest.payer`. */
export const PAYER_FIELDS = {
  name: {
    kind: 'KEPT',
    columns: { payer_name: 'text' },
    rule: Type.String({
      minLength: 1,
      pattern: NO_CONTROL_CHARACTERS,
      description:
        '1 to 100 characters after trimming. In the sandbox some names drive the simulator.',
    }),
    set: 'AT_CREATION',
    knownTo: ['CSV', 'ERASURE'],
    erasedTo: 'Erased',
    example: 'Ada Tremblay',
  },
  merchantAccountId: {
    kind: 'KEPT',
    columns: { payer_merchant_account_id: 'text' },
    rule: Type.Optional(text(64, 'Your account reference for the payer.')),
    set: 'AT_CREATION',
    knownTo: ['CSV', 'ERASURE'],
    example: 'customer-2207',
  },
  email: {
    kind: 'KEPT',
    columns: { payer_email: 'text' },
    rule: Type.Optional(text(254, 'At least one of email and mobileNumber is needed.')),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'FILTERS', 'ERASURE'],
    // RFC 2606 reserves the domain, so that nobody can have this address.
    erasedTo: 'erased@erased.invalid',
    example: 'ada.tremblay@example.com',
  },
  mobileNumber: {
    kind: 'KEPT',
    columns: { payer_mobile_number: 'text' },
    rule: Type.Optional(text(40, '10 to 15 digits, beside + - ( ) and spaces.')),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'FILTERS', 'ERASURE'],
    example: '+1 (514) 555-0142',
  },
  preferredLanguage: {
    kind: 'KEPT',
    columns: { payer_preferred_language: 'text' },
    rule: Type.Optional(
      Type.String({
        pattern: LANGUAGE,
        description: 'Two letters, or xx-YY.',
      }),
    ),
    set: 'AT_CREATION',
    knownTo: ['CSV', 'ERASURE'],
    example: 'fr',
  },
} as const satisfies Readonly<Record<string, Field>>;

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The HTTPS address of its webhook events.',
});

/**
 * The fields that a merchant sets, by their names in calls and answers, in the order of a creation
 * (contract §4, Create). Columns, row mapping, schemas, JSON, CSV, filters, erasure and examples
 * are derived from this table; `fields.test.ts` compares it with the database and the pages.
 */
export const FIELDS = {
  merchantTransactionId: {
    kind: 'KEPT',
    columns: { merchant_transaction_id: 'text' },
    rule: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: PRINTABLE_ASCII,
        description: 'Your own reference.',
      }),
    ),
    set: 'AT_CREATION',
    knownTo: ['CSV', 'FILTERS', 'CONSOLE'],
    example: '7e6b1f0c9d2a4b58a1c3e5f708192a3b',
  },
  amount: {
    kind: 'CONVERTED',
    columns: { amount_cents: 'bigint' },
    rule: Type.Number({ description: 'Above zero, with at most two decimals.' }),
    answerRule: Type.Number({ minimum: 0.01, description: 'Always with two decimals.' }),
    set: 'AT_CREATION',
    knownTo: ['CSV', 'FILTERS', 'PAGES'],
    example: 149.95,
  },
  /** The deployment has one currency, and answers show it. */
  currency: {
    kind: 'CHECKED',
    columns: {},
    rule: Type.Optional(
      Type.String({ minLength: 1, description: 'If sent it must be the currency of answers.' }),
    ),
    answerRule: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217; always the same.' }),
    set: 'AT_CREATION',
    knownTo: ['CSV'],
  },
  type: {
    kind: 'KEPT',
    columns: { type: 'text' },
    rule: Type.Literal('ECOMM', { description: 'For web applications.' }),
    set: 'AT_CREATION',
    knownTo: ['CSV'],
    example: 'ECOMM',
  },
  deliveryMode: {
    kind: 'KEPT',
    columns: { delivery_mode: 'text' },
    rule: Type.Optional(
      Type.Enum([...DELIVERY_MODES], {
        description: 'How the payer gets the link.',
      }),
    ),
    set: 'AT_CREATION',
    knownTo: ['CSV'],
    example: 'NONE',
  },
  delivery: {
    kind: 'KEPT',
    columns: { delivery: 'json' },
    rule: Type.Optional(DeliverySchema),
    patchRule: Type.Optional(
      Type.Unsafe<Delivery | null>({ ...DeliverySchema, type: ['object', 'null'] }),
    ),
    set: 'WHILE_CREATED',
    knownTo: ['CSV'],
    example: { receipt: true },
  },
  merchant: {
    kind: 'CHECKED',
    columns: {},
    rule: Type.Optional(
      Type.Object({
        id: Type.Optional(text(64, 'If sent it must be your own.')),
      }),
    ),
    set: 'AT_CREATION',
    knownTo: [],
  },
  payer: {
    kind: 'CONVERTED',
    columns: {},
    rule: Type.Object(rulesOf(PAYER_FIELDS), { description: 'The person who pays.' }),
    // `channelFaults` and `payerFaults` validate what is left.
    patchRule: Type.Optional(
      Type.Object(
        {
          email: removable(PAYER_FIELDS.email.rule),
          mobileNumber: removable(PAYER_FIELDS.mobileNumber.rule),
        },
        { additionalProperties: false, description: 'Where the payer is reached.' },
      ),
    ),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'ERASURE'],
  },
  dueDate: {
    kind: 'KEPT',
    columns: { due_date: 'date' },
    rule: Type.Optional(
      Type.String({ format: 'date', description: 'Informational: a calendar date.' }),
    ),
    answerRule: Type.String({
      format: 'date',
      description: 'The sent date; by default the date of expiryDateTime (UTC).',
    }),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'CONSOLE'],
    example: '2026-03-15',
  },
  expiryDateTime: {
    kind: 'CONVERTED',
    columns: { expires_at: 'timestamptz' },
    rule: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the link stops being payable: 5 minutes to 365 days ahead.',
      }),
    ),
    answerRule: Type.String({
      format: 'date-time',
      description: 'When the link stops being payable.',
    }),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'PAGES'],
  },
  displayMessage: {
    kind: 'KEPT',
    columns: { display_message: 'text' },
    rule: Type.Optional(text(250, 'Text shown to the payer.')),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'PAGES', 'CONSOLE', 'ERASURE'],
    example: 'Order 1042: two chairs',
  },
  invoiceNumber: {
    kind: 'KEPT',
    columns: { invoice_number: 'text' },
    rule: Type.Optional(text(50, 'Your invoice number.')),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'FILTERS', 'PAGES', 'CONSOLE'],
    example: 'INV-1042',
  },
  businessUnit: {
    kind: 'KEPT',
    columns: { business_unit: 'text' },
    rule: Type.Optional(text(50, 'Your business unit.')),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'FILTERS', 'CONSOLE'],
    example: 'Web shop',
  },
  emailTemplate: {
    kind: 'CONVERTED',
    columns: { email_template_id: 'text' },
    rule: Type.Optional(Type.Object({ id: Type.Optional(text(64, 'Your e-mail template.')) })),
    set: 'AT_CREATION',
    knownTo: ['CSV'],
    example: { id: 'default' },
  },
  webhookUrl: {
    kind: 'CONVERTED',
    columns: { webhook_url: 'text', webhook_url_field: 'text' },
    rule: Type.Optional(WebhookUrl),
    set: 'WHILE_CREATED',
    knownTo: ['CSV'],
  },
  /** Another name of `webhookUrl`; answers show the name that was sent. */
  callbackUrl: {
    kind: 'CONVERTED',
    columns: {},
    rule: Type.Optional({ ...WebhookUrl, description: 'Another name of webhookUrl.' }),
    set: 'WHILE_CREATED',
    knownTo: ['CSV'],
  },
  returnUrl: {
    kind: 'KEPT',
    columns: { return_url: 'text' },
    rule: Type.Optional(text(2048, 'The HTTPS page to which the payer’s pages link back.')),
    set: 'WHILE_CREATED',
    // The path may name the payer's order or session.
    knownTo: ['CSV', 'PAGES', 'ERASURE'],
    example: 'https://shop.example.com/orders/1042',
  },
  metadata: {
    kind: 'KEPT',
    columns: { metadata: 'json' },
    rule: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: LONGEST_METADATA_VALUE }), {
        maxProperties: MOST_METADATA_KEYS,
        propertyNames: METADATA_KEY,
        description: 'Your own keys and values, echoed: up to 20.',
      }),
    ),
    // `metadataFaults` counts the members of the merged object.
    patchRule: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string | null>> | null>({
        type: ['object', 'null'],
        propertyNames: METADATA_KEY,
        additionalProperties: { type: ['string', 'null'], maxLength: LONGEST_METADATA_VALUE },
        description: 'Merged with what is there: a key with null is taken away.',
      }),
    ),
    set: 'WHILE_CREATED',
    knownTo: ['CSV', 'ERASURE'],
    example: { orderId: '1042', channel: 'web' },
  },
} as const satisfies Readonly<Record<string, Field>>;
