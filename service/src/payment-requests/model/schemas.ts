import { type Static, Type } from 'typebox';
import { rulesOf } from './field-types.ts';
import { FIELDS } from './fields.ts';

/** The body of POST /payment-requests (interface §2; contract §4, Create). */
export const NewPaymentRequestSchema = Type.Object(rulesOf(FIELDS));

export type NewPaymentRequestBody = Static<typeof NewPaymentRequestSchema>;
