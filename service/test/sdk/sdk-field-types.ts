// Compiled by `npm run typecheck`, never run: the SDK's types name every field of the service.
import type * as Sdk from '@payment-requests/sdk';
import type { PaymentRequestUpdateBody } from '#payment-requests/change/schemas.ts';
import type { PaymentRequestBody } from '#payment-requests/model/answer-schemas.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';
import type { ListQuery } from '#payment-requests/read/schemas.ts';

/** Compiles only for no names at all; otherwise the compiler's message lists the names. */
type None<Names extends never> = Names;
type Missing<Service, InSdk> = Exclude<keyof Service, keyof InSdk>;

/** The SDK offers one of the two names of the webhook URL. */
type Other = 'callbackUrl';

export type MissingInCreation = None<
  Exclude<Missing<NewPaymentRequestBody, Sdk.NewPaymentRequest>, Other>
>;
export type MissingInPayer = None<Missing<NewPaymentRequestBody['payer'], Sdk.Payer>>;
export type MissingInUpdate = None<
  Exclude<Missing<PaymentRequestUpdateBody, Sdk.PaymentRequestChanges>, Other>
>;
export type MissingInAnswer = None<Missing<PaymentRequestBody, Sdk.PaymentRequest>>;
export type MissingInFilters = None<
  Exclude<Missing<ListQuery, Sdk.PaymentRequestFilters>, 'limit' | 'cursor'>
>;

/** Names that the SDK has and the service does not know. */
export type UnknownInCreation = None<Missing<Sdk.NewPaymentRequest, NewPaymentRequestBody>>;
export type UnknownInUpdate = None<Missing<Sdk.PaymentRequestChanges, PaymentRequestUpdateBody>>;
export type UnknownInAnswer = None<Missing<Sdk.PaymentRequest, PaymentRequestBody>>;
export type UnknownInFilters = None<Missing<Sdk.PaymentRequestFilters, ListQuery>>;
