import { type Static, Type } from 'typebox';

/** An advance brings these forward; all else keeps its time. */
export const DUE_TYPES = [
  'EXPIRY',
  'SIMULATOR_STEP',
  'REFUND_STEP',
  'MESSAGE',
  'WEBHOOK_ATTEMPT',
] as const;
export type DueType = (typeof DUE_TYPES)[number];

/** The longest expiry is a year ahead. */
export const MOST_ADVANCED_SECONDS = 31_536_000;

/** The body of POST /sandbox/payment-requests/{id}/advance. */
export const AdvanceSchema = Type.Object({
  seconds: Type.Integer({
    minimum: 1,
    maximum: MOST_ADVANCED_SECONDS,
    description: 'By how much the due instants are brought forward.',
  }),
});

export const AdvanceAnswerSchema = Type.Object(
  {
    paymentRequestId: Type.String({ format: 'uuid' }),
    sandboxAdvancedSeconds: Type.Integer({
      description: 'The sum that the payment request shows once all of it is over.',
    }),
    willRun: Type.Array(
      Type.Object({
        type: Type.Enum([...DUE_TYPES]),
        id: Type.String({
          format: 'uuid',
          description: 'The payment request, refund, message or delivery.',
        }),
        dueDateTime: Type.String({ format: 'date-time', description: 'Its instant until now.' }),
      }),
      {
        description: 'What falls due, in order. More attempts follow the listener’s answers.',
      },
    ),
  },
  { title: 'Advance' },
);

export type AdvanceAnswer = Static<typeof AdvanceAnswerSchema>;
