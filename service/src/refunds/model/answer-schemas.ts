import { type Static, Type } from 'typebox';
import { LinkSchema, pageOf } from '#http/json/list-schemas.ts';
import { REFUND_REASONS, REFUND_STATUS_REASONS, REFUND_STATUSES } from './statuses.ts';

const instant = (description: string) => Type.String({ format: 'date-time', description });

export const RefundStatusSchema = Type.Enum([...REFUND_STATUSES], {
  title: 'RefundStatus',
  description:
    'CREATED and PROCESSING are open. COMPLETED becomes FAILED only when the money comes back. ' +
    'More may be added.',
});

export const RefundReasonSchema = Type.Enum([...REFUND_REASONS], {
  description: 'Why the money goes back.',
});

const StatusReasonSchema = Type.Object(
  {
    code: Type.Enum(Object.keys(REFUND_STATUS_REASONS)),
    message: Type.String({ description: 'The reason in words, for people.' }),
  },
  { title: 'RefundStatusReason', description: 'Why it failed.' },
);

const PaymentSchema = Type.Object(
  {
    networkReference: Type.String({ description: 'The e-transfer network’s own reference.' }),
    completedDateTime: instant('When the network executed it.'),
  },
  { title: 'RefundPayment', description: 'The money that went back: for reconciliation.' },
);

/** A refund as every answer and webhook shows it (contract §11). */
export const RefundSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The refund’s identifier.' }),
    paymentRequestId: Type.String({ format: 'uuid', description: 'The payment request’s id.' }),
    merchantRefundId: Type.Optional(Type.String({ description: 'Your own id of it.' })),
    reason: RefundReasonSchema,
    message: Type.Optional(
      Type.String({ description: 'Shown on the payer’s bank statement where the network can.' }),
    ),
    webhookUrl: Type.Optional(Type.String({ format: 'uri' })),
    amount: Type.Number({ description: 'The amount that goes back.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    status: RefundStatusSchema,
    statusReason: Type.Optional(StatusReasonSchema),
    payment: Type.Optional(PaymentSchema),
    createdDateTime: instant('When it was created.'),
    events: Type.Array(
      Type.Object({ status: RefundStatusSchema, dateTime: instant('When it was reached.') }),
      { minItems: 1, description: 'An entry for each status that was reached, oldest first.' },
    ),
    links: Type.Array(LinkSchema, { minItems: 2, maxItems: 2 }),
  },
  { title: 'Refund' },
);

export type RefundBody = Static<typeof RefundSchema>;

/** A page of refunds. */
export const RefundListSchema = pageOf(RefundSchema, 'RefundList');
