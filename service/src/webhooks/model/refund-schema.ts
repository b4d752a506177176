import { Type } from 'typebox';

/** The refund of an event: its members are those of the call that reads it. */
export const EventRefundSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The refund’s id.' }),
    paymentRequestId: Type.String({ format: 'uuid' }),
  },
  { additionalProperties: true, description: 'The refund.' },
);
