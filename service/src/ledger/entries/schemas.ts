import { type Static, Type } from 'typebox';
import { limitParameter } from '#http/json/list-parameters.ts';
import { LinkSchema } from '#http/json/list-schemas.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import { DATE } from '#lib/text-forms.ts';

const types = Object.keys(ENTRY_TYPES) as EntryType[];

/** The parameters of GET /ledger-entries (contract §11, Ledger). */
export const EntriesQuerySchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        pattern: DATE,
        description: 'Entries of this day and later, as in 2026-03-01.',
        examples: ['2026-03-01'],
      }),
    ),
    to: Type.Optional(
      Type.String({
        pattern: DATE,
        description: 'Entries of this day and earlier, as in 2026-03-31.',
        examples: ['2026-03-31'],
      }),
    ),
    type: Type.Optional(
      Type.Array(Type.Enum(types), { description: 'Only these types; repeated or with commas.' }),
    ),
    paymentRequestId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The entries of one payment request.' }),
    ),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The nextCursor of the answer before; left out: from the oldest entry.',
      }),
    ),
    limit: limitParameter('How many entries an answer holds at most.'),
  },
  { additionalProperties: false },
);
export type EntriesQuery = Static<typeof EntriesQuerySchema>;

/** The parameters of the console's list, which the figures of the overview lead to. */
export const ShownEntriesQuerySchema = Type.Object(
  {
    ...EntriesQuerySchema.properties,
    recordedFrom: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: false },
);
export type ShownEntriesQuery = Static<typeof ShownEntriesQuerySchema>;

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const idOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description });

/** An entry of an answer. */
export const LedgerEntrySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    type: Type.Enum(types, {
      description:
        'FEE: charges of a bank beside a payment or a refund. ADJUSTMENT: a correction. The ' +
        'guide of reconciliation explains each type.',
    }),
    amount: Type.Number({ description: 'Above zero: money came in. Below zero: it went out.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    paymentRequestId: idOrNull('null: the money is assigned to no payment request.'),
    refundId: idOrNull('The refund that moved the money.'),
    networkReference: orNull('The network’s name of the movement.'),
    bankReference: orNull('The bank’s own reference of the booking.'),
    bookingDate: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The day on which a bank booked it; null: no bank did.',
    }),
    createdDateTime: Type.String({
      format: 'date-time',
      description: 'When the service learned of the movement.',
    }),
  },
  { title: 'LedgerEntry', description: 'One movement of money; an entry never changes.' },
);

/** An answer of GET /ledger-entries. */
export const LedgerEntriesSchema = Type.Object(
  {
    data: Type.Array(LedgerEntrySchema, { description: 'Oldest first.' }),
    hasMore: Type.Boolean({ description: 'Whether more can be read at once.' }),
    nextCursor: Type.String({ description: 'The after of the next call; always present.' }),
    completeFrom: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'The first day that has all of its entries: older ones were deleted by the retention ' +
          'of the operator. Absent: none was.',
      }),
    ),
    links: Type.Array(LinkSchema, { description: 'self and next.' }),
  },
  { title: 'LedgerEntries' },
);
