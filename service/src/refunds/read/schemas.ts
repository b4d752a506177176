import type { Static } from 'typebox';
import { Type } from '#lib/json/schema-types.ts';
import { PRINTABLE_ASCII, UUID } from '#lib/text-forms.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';

/** The default of every list (contract §4, List). */
export const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));

const PAGE = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LARGEST_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'How many a page holds at most.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The nextCursor of the page before, with the same filters.',
    }),
  ),
};

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
    createdFrom: instant('Created at this instant or later.'),
    createdTo: instant('Created before this instant.'),
    ...PAGE,
  },
  { additionalProperties: false },
);
export type RefundListQuery = Static<typeof RefundListQuerySchema>;

/** The parameters of GET /payment-requests/{id}/refunds. */
export const RefundsOfPaymentQuerySchema = Type.Object(PAGE, { additionalProperties: false });
