import { type Static, type TSchema, Type } from 'typebox';
import { LinkSchema, pageOf } from '#http/json/list-schemas.ts';
import { SHORT_CODE } from '#lib/text-forms.ts';
import { ANSWERED_FIELDS, type AnsweredField } from './field-lists.ts';
import type { Field } from './field-types.ts';
import { FIELDS } from './fields.ts';
import { LinkMessageSchema } from './messages/link-message.ts';
import { REFUND_SUMMARY_STATUSES } from './money/sums.ts';
import { STATUS_REASONS, STATUSES } from './statuses.ts';

type AnswerRules = {
  -readonly [Name in AnsweredField]: (typeof FIELDS)[Name] extends {
    readonly answerRule: infer Rule extends TSchema;
  }
    ? Rule
    : (typeof FIELDS)[Name]['rule'];
};

const instant = (description: string) => Type.String({ format: 'date-time', description });
const money = (description: string) => Type.Number({ minimum: 0, description });

export const StatusSchema = Type.Enum([...STATUSES], {
  title: 'Status',
  description:
    'PAID is final; FAILED, EXPIRED and CANCELLED can become PAID late. More may be added.',
});

export const StatusReasonSchema = Type.Object(
  {
    code: Type.Enum(Object.keys(STATUS_REASONS)),
    message: Type.String({ description: 'The reason, for people.' }),
  },
  { title: 'StatusReason', description: 'Why it did not end as paid.' },
);

const PaymentSchema = Type.Object(
  {
    institution: Type.String({ description: 'The payer’s institution.' }),
    networkReference: Type.String({ description: 'The e-transfer network’s own reference.' }),
    completedDateTime: instant('When the network settled it.'),
    amountReceived: money('All money that has arrived, also what went back later.'),
  },
  { title: 'Payment', description: 'The money that arrived.' },
);

/** The money of a payment request that was ever PAID (contract §11). */
export const RefundSummarySchema = Type.Object(
  {
    status: Type.Enum([...REFUND_SUMMARY_STATUSES], {
      description: 'PENDING while a refund is open; else by sum.',
    }),
    amountReceived: money('All money that has arrived.'),
    amountReturned: money('Taken back by the network or a bank.'),
    amountRefunded: money('Given back by COMPLETED refunds.'),
    amountAvailable: money('What can be given back.'),
  },
  { title: 'RefundSummary', description: 'What arrived, and what went back.' },
);

/** A payment request as every answer and webhook shows it (contract §4, Create). */
export const PaymentRequestSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Its identifier.' }),
    ...answerRules(),
    merchant: Type.Object({ id: Type.String(), name: Type.String() }),
    status: StatusSchema,
    statusReason: Type.Optional(StatusReasonSchema),
    paidLate: Type.Optional(
      Type.Literal(true, { description: 'The money arrived after the request was over.' }),
    ),
    payment: Type.Optional(PaymentSchema),
    refundSummary: Type.Optional(RefundSummarySchema),
    createdDateTime: instant('When it was created.'),
    expiryDateTime: FIELDS.expiryDateTime.answerRule,
    shortCode: Type.String({
      pattern: SHORT_CODE,
      description: 'The tail of both links.',
    }),
    paymentLink: Type.String({
      format: 'uri',
      description: 'Open it for the payer.',
    }),
    qrCodeLink: Type.String({ format: 'uri', description: 'The link as a QR code.' }),
    events: Type.Array(
      Type.Object({ status: StatusSchema, dateTime: instant('When it was reached.') }),
      { minItems: 1, description: 'Each status that was reached, oldest first.' },
    ),
    linkMessage: Type.Optional(LinkMessageSchema),
    sandboxAdvancedSeconds: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Sandbox: by how much its time was advanced.' }),
    ),
    links: Type.Array(LinkSchema, { minItems: 1, maxItems: 1 }),
  },
  { title: 'PaymentRequest' },
);

export type PaymentRequestBody = Static<typeof PaymentRequestSchema>;

function answerRules(): AnswerRules {
  const rules = ANSWERED_FIELDS.map((name) => {
    const { rule, answerRule }: Field = FIELDS[name];
    return [name, answerRule ?? rule];
  });
  return Object.fromEntries(rules) as AnswerRules;
}

/** A page of the list (contract §4, List). */
export const PaymentRequestListSchema = pageOf(PaymentRequestSchema, 'PaymentRequestList');
