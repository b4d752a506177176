import { type Static, type TSchema, Type } from 'typebox';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import {
  LONGEST_METADATA_VALUE,
  METADATA_KEY,
  NewPaymentRequestSchema,
  text,
} from '#payment-requests/model/schemas.ts';

/** The body of POST /payment-requests/{id}/cancellation; it may be left out. */
export const CancellationSchema = Type.Object({
  reason: Type.Optional(
    Type.Enum([...CANCELLATION_REASONS], { description: 'Why; kept for the timeline.' }),
  ),
  comment: Type.Optional(text(250, 'In your own words; kept for the timeline.')),
});

export type CancellationBody = Static<typeof CancellationSchema>;

const fields = NewPaymentRequestSchema.properties;

/** A field as a creation takes it, or `null`, which takes it away (RFC 7396). */
function removable<Schema extends TSchema & { readonly type: string }>(schema: Schema) {
  return Type.Optional(
    Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] }),
  );
}

/** The body of PATCH /payment-requests/{id}: a JSON Merge Patch (contract §4, Update). */
export const PaymentRequestUpdateSchema = Type.Object(
  {
    dueDate: removable(fields.dueDate),
    expiryDateTime: removable(fields.expiryDateTime),
    displayMessage: removable(fields.displayMessage),
    invoiceNumber: removable(fields.invoiceNumber),
    businessUnit: removable(fields.businessUnit),
    webhookUrl: removable(fields.webhookUrl),
    callbackUrl: removable(fields.callbackUrl),
    // How many members the merged object may have is judged when it is merged.
    metadata: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string | null>> | null>({
        type: ['object', 'null'],
        propertyNames: METADATA_KEY,
        additionalProperties: { type: ['string', 'null'], maxLength: LONGEST_METADATA_VALUE },
        description: 'Merged with what is there: a key with null is taken away.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type PaymentRequestUpdateBody = Static<typeof PaymentRequestUpdateSchema>;
