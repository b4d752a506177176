import { type Static, Type } from 'typebox';
import { CREATED_PARAMETERS, PAGE_PARAMETERS } from '#http/json/list-parameters.ts';
import { PRINTABLE_ASCII, UUID } from '#lib/text-forms.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';

/** The parameters of GET /refunds (contract §11). */
export const RefundListQuerySchema = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Type.Enum([...REFUND_STATUSES]), {
        description: 'Only these statuses; repeated or with commas.',
      }),
    ),
    merchantRefundId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: PRINTABLE_ASCII,
        description: 'Your own id of the refund.',
      }),
    ),
    paymentRequestId: Type.Optional(
      Type.String({
        format: 'uuid',
        pattern: UUID,
        description: 'Only refunds of this payment request.',
      }),
    ),
    ...CREATED_PARAMETERS,
    ...PAGE_PARAMETERS,
  },
  { additionalProperties: false },
);
export type RefundListQuery = Static<typeof RefundListQuerySchema>;

/** The parameters of GET /payment-requests/{id}/refunds. */
export const RefundsOfPaymentQuerySchema = Type.Object(PAGE_PARAMETERS, {
  additionalProperties: false,
});
