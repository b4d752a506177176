import Fastify, { type FastifyInstance } from 'fastify';
import { registerJwksRoutes } from '#access/jwks-routes.ts';
import { registerServerMetadataRoutes } from '#access/metadata-routes.ts';
import { declareMerchant, isOfMerchant } from '#access/require-merchant.ts';
import { declareSignIn } from '#access/sign-in.ts';
import { registerTokenRoutes, type TokenRoutesDeps } from '#access/token/routes.ts';
import {
  type ApiReferenceDeps,
  registerApiReferenceRoutes,
} from '#api-reference/api-reference-routes.ts';
import { registerSdkRoutes } from '#api-reference/sdk/routes.ts';
import { watchOperations } from '#api-reference/watch-operations.ts';
import { registerConsole } from '#console/register-console.ts';
import type { ETransferNetwork } from '#e-transfer/e-transfer-network.ts';
import { compressAnswers } from '#http/compression/compress-answers.ts';
import { DATA_HEADERS, transportHeaders } from '#http/headers/security-headers.ts';
import { registerJsonBody } from '#http/json/body.ts';
import { forgetEmptyBodies } from '#http/json/empty-body.ts';
import { warnOfUnknownMembers } from '#http/json/warn-unknown-members.ts';
import type { LoadGate, TrafficClass } from '#http/overload/load-gate.ts';
import { createOverloadShedding, type OverloadShedding } from '#http/overload/shed-overload.ts';
import { createNotFoundPages, type SendNotFoundPage } from '#http/pages/not-found-pages.ts';
import { declarePageOrigin } from '#http/pages/page-language.ts';
import { registerProblemRoutes } from '#http/pages/problem-routes.ts';
import { registerPageScripts } from '#http/pages/scripts.ts';
import { refuseUnknownRoutes, registerErrorHandler } from '#http/problems/error-handler.ts';
import { createUnknownAddressAdvice } from '#http/problems/unknown-address.ts';
import { boundChunks } from '#http/server/bound-chunks.ts';
import { createBrokenRequestAnswers } from '#http/server/broken-requests.ts';
import { leaveUnread } from '#http/server/leave-unread.ts';
import { refuseOtherMethods, watchRoutes } from '#http/server/method-not-allowed.ts';
import { OpenCalls } from '#http/server/open-calls.ts';
import { serverOptions } from '#http/server/options.ts';
import { refuseAmbiguousRequests } from '#http/server/refuse-ambiguous-requests.ts';
import { requireOwnHost } from '#http/server/require-own-host.ts';
import { takeWholeBodies } from '#http/server/take-whole-bodies.ts';
import { type LedgerRoutesDeps, registerLedgerRoutes } from '#ledger/routes.ts';
import type { Clock } from '#lib/clock.ts';
import { registerLogoRoutes } from '#merchants/profile/logo-routes.ts';
import { type MessageRoutesDeps, registerMessageRoutes } from '#messages/calls/routes.ts';
import { registerReceiptRoutes } from '#messages/receipt/routes.ts';
import type { RefuseDeps } from '#messages/refusal/refuse-messages.ts';
import { registerRefusalRoutes } from '#messages/refusal/routes.ts';
import { registerSmsReceiptRoutes, type SmsReceiptRoutesDeps } from '#messages/sms/routes.ts';
import { type ChangeRoutesDeps, registerChangeRoutes } from '#payment-requests/change/routes.ts';
import { type CreateRoutesDeps, registerCreateRoutes } from '#payment-requests/create/routes.ts';
import { PaymentRequestSchema } from '#payment-requests/model/answer-schemas.ts';
import {
  linkErrorPages,
  type PaymentLinkRoutesDeps,
  registerPaymentLinkRoutes,
} from '#payment-requests/payer-link/routes.ts';
import { registerCheckoutScriptRoutes } from '#payment-requests/payer-link/script-routes.ts';
import { type ListRoutesDeps, registerListRoutes } from '#payment-requests/read/list-routes.ts';
import { type ReadRoutesDeps, registerReadRoutes } from '#payment-requests/read/routes.ts';
import {
  registerTimelineRoutes,
  type TimelineRoutesDeps,
} from '#payment-requests/timeline/routes.ts';
import { type CreateRefundRoutesDeps, registerCreateRefundRoutes } from '#refunds/create/routes.ts';
import { RefundSchema } from '#refunds/model/answer-schemas.ts';
import { type ReadRefundRoutesDeps, registerReadRefundRoutes } from '#refunds/read/routes.ts';
import { registerSimulationRoutes, type SimulationRoutesDeps } from '#sandbox/simulation-routes.ts';
import type { Health } from '#telemetry/health/health.ts';
import { reportReadiness } from '#telemetry/health/report-readiness.ts';
import { registerHealthRoutes } from '#telemetry/health/routes.ts';
import { reportShedCalls } from '#telemetry/log/report-shed-calls.ts';
import { logRefusal, type RequestLogDeps, registerRequestLog } from '#telemetry/log/request-log.ts';
import type { UntrustedForwarders } from '#telemetry/log/untrusted-forwarders.ts';
import { registerCallContext } from '#telemetry/tracing/call-context-hook.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import { registerEndpointActionRoutes } from '#webhooks/deliveries/endpoint-action-routes.ts';
import { registerDeliveryRoutes } from '#webhooks/deliveries/routes.ts';
import type { SendTestDeps } from '#webhooks/deliveries/send-test.ts';
import { type EndpointRoutesDeps, registerEndpointRoutes } from '#webhooks/endpoints/routes.ts';
import { type EventFeedRoutesDeps, registerEventFeedRoutes } from '#webhooks/feed/routes.ts';
import { registerReplayRoutes } from '#webhooks/replays/routes.ts';

export interface AppDeps {
  readonly clock: Clock;
  /** The origin of {base_url}: where problem types live. */
  readonly origin: string;
  readonly trustedProxies: readonly string[];
  readonly forwarders: UntrustedForwarders;
  readonly requestLog: RequestLogDeps;
  /** null: no traces are exported. */
  readonly tracing: Tracing | null;
  readonly gate: LoadGate;
  /** Classifies a call by its URL. */
  readonly classify: (url: string) => TrafficClass;
  readonly tokenCall: TokenRoutesDeps;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: CreateRoutesDeps['requireMerchant'];
  readonly paymentRequests: CreateRoutesDeps & ReadRoutesDeps & ListRoutesDeps & TimelineRoutesDeps;
  readonly changes: ChangeRoutesDeps;
  readonly refunds: CreateRefundRoutesDeps & ReadRefundRoutesDeps;
  /** null in production: it has no simulator. */
  readonly simulations: SimulationRoutesDeps | null;
  readonly messages: MessageRoutesDeps & RefuseDeps;
  readonly ledger: LedgerRoutesDeps;
  readonly webhooks: EndpointRoutesDeps & EventFeedRoutesDeps & SendTestDeps;
  readonly paymentLinks: PaymentLinkRoutesDeps;
  /** null in the sandbox. */
  readonly network: ETransferNetwork | null;
  readonly console: Parameters<typeof registerConsole>[1];
  readonly apiReference: Omit<ApiReferenceDeps, 'operations'>;
}

/** The public listener: everything that merchants and payers reach, module by module. */
export function createApp(deps: AppDeps): FastifyInstance {
  const { origin, clock, trustedProxies, requestLog, gate, classify } = deps;
  const onShed = reportShedCalls(requestLog);
  const shedding = createOverloadShedding({ origin, clock, gate, classify, isOfMerchant, onShed });
  const transport = transportHeaders(origin);
  const { publicApiUrl, publicAuthUrl } = deps.apiReference;
  const app = createListener({
    origin,
    clock,
    trustedProxies,
    requestLog,
    transport,
    shedding,
    sendNotFoundPage: createNotFoundPages({
      ...linkErrorPages(deps.paymentLinks),
      callUrls: [publicApiUrl, publicAuthUrl],
      isSandbox: deps.simulations !== null,
    }),
    adviseUnknown: createUnknownAddressAdvice({
      origin,
      publicApiUrl,
      publicAuthUrl,
      calls: () => operations(),
      isSandbox: deps.simulations !== null,
    }),
  });
  deps.forwarders.watch(app);
  shedding.register(app);
  forgetEmptyBodies(app);
  takeWholeBodies(app);
  compressAnswers(app);
  registerCallContext(app, deps.tracing);
  if (deps.simulations) warnOfUnknownMembers(app);
  refuseOtherMethods(app);
  const operations = watchOperations(app);
  declareMerchant(app);
  declareSignIn(app);
  registerTokenRoutes(app, deps.tokenCall);
  registerJwksRoutes(app, deps.tokenCall);
  registerServerMetadataRoutes(app, { ...deps.tokenCall, origin });
  registerCreateRoutes(app, deps.paymentRequests);
  registerReadRoutes(app, deps.paymentRequests);
  registerListRoutes(app, deps.paymentRequests);
  registerChangeRoutes(app, deps.changes);
  registerTimelineRoutes(app, deps.paymentRequests);
  registerMessages(app, deps);
  registerCreateRefundRoutes(app, deps.refunds);
  registerReadRefundRoutes(app, deps.refunds);
  registerLedgerRoutes(app, deps.ledger);
  registerEndpointRoutes(app, deps.webhooks);
  registerEndpointActionRoutes(app, deps.webhooks);
  registerReplayRoutes(app, deps.webhooks);
  registerDeliveryRoutes(app, deps.webhooks);
  registerEventFeedRoutes(app, deps.webhooks, {
    paymentRequest: PaymentRequestSchema,
    refund: RefundSchema,
  });
  if (deps.simulations) registerSimulationRoutes(app, deps.simulations);
  registerPaymentLinkRoutes(app, deps.paymentLinks);
  registerCheckoutScriptRoutes(app);
  registerLogoRoutes(app, deps.paymentLinks);
  registerPageScripts(app, deps.paymentLinks);
  declarePageOrigin(app, origin);
  registerNetworkRoutes(app, deps.network);
  registerConsole(app, deps.console);
  registerProblemRoutes(app, { origin, isSandbox: deps.simulations !== null });
  registerApiReferenceRoutes(app, { ...deps.apiReference, operations });
  registerSdkRoutes(app);
  return app;
}

/** The calls of merchants, and the pages behind the links of mails. */
function registerMessages(app: FastifyInstance, { messages, paymentLinks }: AppDeps): void {
  registerMessageRoutes(app, messages);
  const errorPages = linkErrorPages(paymentLinks);
  registerRefusalRoutes(app, { ...messages, errorPages });
  if (paymentLinks.paying?.sendsReceipts) {
    registerReceiptRoutes(app, { ...messages, ...paymentLinks, errorPages });
  }
}

/** A connector's hooks and parsers stay in a scope of its own (bank-transfer §1). */
function registerNetworkRoutes(app: FastifyInstance, network: ETransferNetwork | null): void {
  app.register(async (scope) => network?.registerRoutes(scope));
}

export type OpsAppDeps = Pick<AppDeps, 'clock' | 'origin' | 'requestLog'> & {
  readonly health: Health;
  /** `OPS_TOKEN`; null: metrics are open to all who reach the listener. */
  readonly opsToken: Buffer | null;
  /** `OPS_HOST`: a name of the listener, beside its addresses. */
  readonly opsHost: string;
  /** null: `SMS_RECEIPT_TOKEN` is not set. */
  readonly smsReceipts: SmsReceiptRoutesDeps | null;
  /** Registers the calls of banks' programs; null: the deployment or the process has none. */
  readonly programs: ((app: FastifyInstance) => void) | null;
};

/** The operators' listener: health, metrics, receipts of SMS, and banks' programs. */
export function createOpsApp(deps: OpsAppDeps): FastifyInstance {
  const requestLog = { ...deps.requestLog, isForOperators: true } as const;
  // Operators reach it without TLS: it promises none.
  const { origin, clock } = deps;
  const app = createListener({
    origin,
    clock,
    trustedProxies: [],
    requestLog,
    transport: {},
    shedding: null,
  });
  requireOwnHost(app, deps.opsHost);
  refuseOtherMethods(app);
  registerHealthRoutes(app, reportReadiness(deps.health, requestLog.log), deps.opsToken);
  if (deps.smsReceipts) registerSmsReceiptRoutes(app, deps.smsReceipts);
  deps.programs?.(app);
  return app;
}

interface ListenerDeps extends Pick<AppDeps, 'clock' | 'origin' | 'trustedProxies' | 'requestLog'> {
  readonly transport: ReturnType<typeof transportHeaders>;
  /** null: the listener takes every call. */
  readonly shedding: Pick<OverloadShedding, 'inFrontOf'> | null;
  /** Left out: no person uses the listener. */
  readonly sendNotFoundPage?: SendNotFoundPage;
  readonly adviseUnknown?: (path: string) => string;
}

/** Makes a listener with everything that comes before its routes. */
function createListener(deps: ListenerDeps): FastifyInstance {
  const { clock, origin, trustedProxies, requestLog, transport, shedding } = deps;
  const openCalls = new OpenCalls();
  const broken = createBrokenRequestAnswers({
    origin,
    clock,
    openCalls,
    onRefused: (refusal) => logRefusal(requestLog, refusal),
  });
  const app = Fastify(
    serverOptions({
      trustedProxies,
      clientErrorHandler: broken.clientErrorHandler,
      inFrontOf(handle) {
        const counted = openCalls.inFrontOf(handle);
        return shedding ? shedding.inFrontOf(counted) : counted;
      },
    }),
  );
  openCalls.watch(app);
  boundChunks(app);
  leaveUnread(app);
  registerRequestLog(app, requestLog);
  // Without a promise: a request may prove broken in the same turn, and needs these headers then.
  const headers = { ...DATA_HEADERS, ...transport };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  broken.watch(app);
  registerErrorHandler(app, deps);
  registerJsonBody(app);
  refuseAmbiguousRequests(app);
  watchRoutes(app);
  refuseUnknownRoutes(app, deps);
  return app;
}
