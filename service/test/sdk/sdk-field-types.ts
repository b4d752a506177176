// Compiled by `npm run typecheck`, never run: the SDK's types name every field of the service.
import type * as Sdk from '@payment-requests/sdk';
import type { Static } from 'typebox';
import type { PaymentRequestUpdateBody } from '#payment-requests/change/schemas.ts';
import type { PaymentRequestBody } from '#payment-requests/model/answer-schemas.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';
import type { ListQuery } from '#payment-requests/read/schemas.ts';
import type { SimulationBody } from '#sandbox/simulation-schemas.ts';
import type {
  DeliveryQuery,
  DeliverySchema,
  DeliveryWithAttemptsSchema,
} from '#webhooks/deliveries/schemas.ts';
import type {
  EndpointSchema,
  EndpointUpdateBody,
  NewEndpointBody,
  RotationSchema,
} from '#webhooks/endpoints/schemas.ts';
import type { feedSchema } from '#webhooks/feed/schemas.ts';
import type { ReplayBody, ReplaySchema } from '#webhooks/replays/schemas.ts';

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

type Both<Service, InSdk> = Missing<Service, InSdk> | Missing<InSdk, Service>;
type ServiceEvent = Static<ReturnType<typeof feedSchema>>['data'][number];
type ServiceDelivery = Static<typeof DeliveryWithAttemptsSchema>;
type ServiceReplay = Static<typeof ReplaySchema>;

/** Names that only the service or only the SDK knows. */
export type DifferingInEndpoints = None<
  | Both<NewEndpointBody, Sdk.NewWebhookEndpoint>
  | Both<EndpointUpdateBody, Sdk.WebhookEndpointChanges>
  | Both<Static<typeof EndpointSchema>, Sdk.WebhookEndpoint>
  | Both<Static<typeof RotationSchema>, Sdk.SecretRotation>
>;
export type DifferingInDeliveries = None<
  | Both<Static<typeof DeliverySchema>, Sdk.WebhookDelivery>
  | Both<ServiceDelivery, Sdk.WebhookDeliveryWithAttempts>
  | Both<ServiceDelivery['attemptLog'][number], Sdk.WebhookAttempt>
  | Exclude<Both<DeliveryQuery, Sdk.WebhookDeliveryFilters>, 'limit' | 'cursor'>
>;
export type DifferingInReplays = None<
  | Both<ReplayBody, Sdk.ReplaySpan>
  | Both<ServiceReplay, Sdk.WebhookReplay>
  | Both<ServiceReplay['progress'], Sdk.WebhookReplay['progress']>
>;
/** `test` stands only in webhooks; the feed has no tests. */
export type DifferingInEvents = None<Exclude<Both<ServiceEvent, Sdk.AnyWebhookEvent>, 'test'>>;
export type DifferingInSimulations = None<Both<SimulationBody, Sdk.Simulation>>;
