import { type Static, Type } from 'typebox';
import { PRINTABLE_ASCII } from '#lib/text-forms.ts';
import { text } from '#payment-requests/model/field-types.ts';
import { FIELDS } from '#payment-requests/model/fields.ts';
import { REFUND_REASONS } from './statuses.ts';

/** The body of POST /payment-requests/{id}/refunds (contract §11). */
export const NewRefundSchema = Type.Object({
  amount: Type.Optional(
    Type.Number({
      description:
        'The amount to give back, at least 0.01, with at most two decimals; left out: all that ' +
        'is available.',
    }),
  ),
  currency: FIELDS.currency.rule,
  merchantRefundId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: PRINTABLE_ASCII,
      description:
        'Your own id of the refund, never used before. A repeated call with it gives the same ' +
        'refund, so that no refund happens twice.',
    }),
  ),
  expectedAmountAvailable: Type.Optional(
    Type.Number({
      description: 'The amount that you expect to be available; another one refuses the refund.',
    }),
  ),
  reason: Type.Optional(
    Type.Enum([...REFUND_REASONS], { default: 'REQUESTED_BY_CUSTOMER', description: 'Why.' }),
  ),
  message: Type.Optional(text(140, 'Shown on the payer’s bank statement where the network can.')),
  webhookUrl: Type.Optional(
    Type.String({
      maxLength: 2_048,
      minLength: 1,
      description: 'Receives the events of this refund, and no others.',
    }),
  ),
});

export type NewRefundBody = Static<typeof NewRefundSchema>;
