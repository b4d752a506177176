import { type Static, type TSchema, Type } from 'typebox';
import { LedgerEntrySchema } from '#ledger/entries/schemas.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import { DATE } from '#lib/text-forms.ts';

/** The parameters of GET /reports/reconciliation (contract §11, Reconciliation report). */
export const ReportQuerySchema = Type.Object(
  {
    date: Type.Optional(
      Type.String({
        pattern: DATE,
        description: 'The day of the report, as in 2026-03-01; left out: yesterday.',
        examples: ['2026-03-01'],
      }),
    ),
    since: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The nextCursor of an earlier report: the answer then has the entries after it, of ' +
          'all days.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ReportQuery = Static<typeof ReportQuerySchema>;

const amount = (description: string) => Type.Number({ description });

function itemsOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'How many there are.' }),
      data: Type.Array(item, { description: 'At most 1,000 of them.' }),
      hasMore: Type.Boolean({ description: 'Whether there are more than data holds.' }),
    },
    { description },
  );
}

const PaidWithoutMoneySchema = Type.Object(
  {
    paymentRequestId: Type.String({ format: 'uuid' }),
    amount: amount('The amount asked for.'),
    currency: Type.String({ description: 'ISO 4217.' }),
    networkReference: Type.Union([Type.String(), Type.Null()]),
    completedDateTime: Type.String({ format: 'date-time' }),
  },
  { title: 'PaidWithoutMoney' },
);

/** An answer of GET /reports/reconciliation. */
export const ReportSchema = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    timeZone: Type.String({ description: 'The day of entries without a booking date.' }),
    currency: Type.String({ description: 'The deployment’s currency, ISO 4217.' }),
    openingSum: amount('The sum of all entries of earlier days, in the deployment’s currency.'),
    closingSum: amount('The sum with the entries of the day: the next day’s openingSum.'),
    otherCurrencies: Type.Array(
      Type.Object({
        currency: Type.String({ description: 'ISO 4217.' }),
        openingSum: Type.Number(),
        closingSum: Type.Number(),
      }),
      { description: 'The sums of money in other currencies, which waits for an operator.' },
    ),
    totals: Type.Array(
      Type.Object({
        type: Type.Enum(Object.keys(ENTRY_TYPES) as EntryType[]),
        currency: Type.String({ description: 'ISO 4217.' }),
        count: Type.Integer({ minimum: 1 }),
        amount: Type.Number(),
      }),
      { description: 'The day’s entries by type.' },
    ),
    paidWithoutMoney: itemsOf(
      PaidWithoutMoneySchema,
      'Payment requests that became PAID on the day and have no money in the ledger.',
    ),
    moneyWithoutPaymentRequest: itemsOf(
      LedgerEntrySchema,
      'The day’s entries that name no payment request.',
    ),
    since: Type.Optional(
      Type.Object(
        {
          data: Type.Array(LedgerEntrySchema, { description: 'At most 1,000, oldest first.' }),
          hasMore: Type.Boolean({ description: 'Whether nextCursor leads to more.' }),
        },
        { description: 'With the parameter since: the entries after that cursor, of all days.' },
      ),
    ),
    nextCursor: Type.String({ description: 'The since of the next report.' }),
  },
  { title: 'ReconciliationReport' },
);
