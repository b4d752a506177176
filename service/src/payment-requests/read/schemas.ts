import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import { CREATED_PARAMETERS, PAGE_PARAMETERS } from '#http/json/list-parameters.ts';
import { EMAIL, MOBILE_NUMBER, SHORT_CODE } from '#lib/text-forms.ts';
import {
  EQUALITY_FILTERS,
  type EqualityFilter,
  type FilterField,
} from '#payment-requests/model/field-lists.ts';
import { type NamesKnownTo, text } from '#payment-requests/model/field-types.ts';
import { FIELDS, type PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';

/** Contract §4, Read. */
const LONGEST_WAIT_SECONDS = 30;

const amount = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, description, examples: ['10.00'] }));

/** The parameters of the filters that are not derived, by field. */
const OWN_FILTERS = {
  email: {
    payerEmail: Type.Optional(
      Type.String({
        maxLength: 254,
        pattern: EMAIL,
        description: 'The payer’s e-mail address, in upper or lower case.',
      }),
    ),
  },
  mobileNumber: {
    payerMobileNumber: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: MOBILE_NUMBER,
        description: 'The payer’s mobile number: only its digits are compared.',
      }),
    ),
  },
  amount: {
    amountMin: amount('This amount or more, as a decimal.'),
    amountMax: amount('This amount or less, as a decimal.'),
  },
} as const satisfies Readonly<
  Record<
    Exclude<FilterField, EqualityFilter> | NamesKnownTo<typeof PAYER_FIELDS, 'FILTERS'>,
    Readonly<Record<string, TSchema>>
  >
>;

type EqualityRules = { [Name in EqualityFilter]: TOptional<(typeof FIELDS)[Name]['rule']> };
const equalityRules = EQUALITY_FILTERS.map((name) => [name, Type.Optional(FIELDS[name].rule)]);

/** The parameters of GET /payment-requests (contract §4, List). */
export const ListQuerySchema = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Type.Enum([...STATUSES]), {
        description:
          'Only these statuses; repeated or with commas. An expiry that has passed counts as ' +
          'EXPIRED.',
      }),
    ),
    networkReference: Type.Optional(
      text(255, 'The networkReference of the payment; only what is paid has one.'),
    ),
    ...(Object.fromEntries(equalityRules) as EqualityRules),
    shortCode: Type.Optional(
      Type.String({ pattern: SHORT_CODE, description: 'The tail of the payment link.' }),
    ),
    ...OWN_FILTERS.email,
    ...OWN_FILTERS.mobileNumber,
    ...CREATED_PARAMETERS,
    ...OWN_FILTERS.amount,
    ...PAGE_PARAMETERS,
  },
  { additionalProperties: false },
);

export type ListQuery = Static<typeof ListQuerySchema>;

/** The parameters of GET /payment-requests/{id} (contract §4, Read). */
export const ReadQuerySchema = Type.Object(
  {
    waitSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_WAIT_SECONDS,
        description: 'Answer when the payment request changes, or after this many seconds.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type ReadQuery = Static<typeof ReadQuerySchema>;
