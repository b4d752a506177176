import { createLivePages } from '#http/live/live-pages.ts';
import { createAddressLimit } from '#http/overload/address-limit.ts';
import { newPageId } from '#lib/cells/page-id.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import type { LoopWork } from '#lib/loop.ts';
import type {
  ETransferNetwork,
  MakeNetwork,
  NetworkLimits,
  NetworkSurroundings,
  NetworkTimes,
} from '../e-transfer-network.ts';
import { stateOf } from './gateway-payment.ts';
import {
  cancelGatewayPayment,
  findGatewayPaymentOf,
  findGatewayVersions,
  listenForGatewayChanges,
  putGatewayPayment,
} from './gateway-payment-store.ts';
import { registerGatewayRoutes } from './gateway-routes.ts';
import { pruneGatewaySessions } from './gateway-session-store.ts';
import { GATEWAY_PATH } from './gateway-visit.ts';
import { createSimulatedRefunds, reportDueRefunds } from './refunds/simulated-refunds.ts';
import { type ReportDeps, reportDuePayments, tellOfChange } from './report-payments.ts';
import { reportDueReturns } from './return-payments.ts';

const MINUTE_MS = 60_000;
/** Addresses of payments that do not exist, a minute: more than a person mistypes. */
const MOST_MISSES = 20;
/** Sign-ins that fail from one address, a minute: an office of people who mistype. */
const MOST_FAILED_SIGN_INS = 60;
/** A payment that settles later settles within a second of its time. */
const REPORT_INTERVAL_MS = 1_000;
const PRUNE_INTERVAL_MS = MINUTE_MS;

/** Contract §4 and §5: open for a day unless asked otherwise, and settled within three. */
const TIMES: NetworkTimes = {
  defaultExpirySeconds: 24 * 3_600,
  longestExpirySeconds: 365 * 86_400,
  slowestSettlementSeconds: 72 * 3_600,
};
const NO_LIMITS: NetworkLimits = {
  currencies: null,
  highestAmountCents: null,
  needsCreditorAccount: false,
};

/**
 * An e-transfer network on which no money moves: its own books, a gateway with institutions, and
 * test users who make every outcome happen. It knows nothing of this service but what any network
 * is told.
 */
export const createSimulatedNetwork: MakeNetwork = (surroundings): ETransferNetwork => {
  const { db, clock, listener, publicOrigin, timeZone, cell } = surroundings;
  const livePages = createLivePages({
    clock,
    findVersions: (ids) => findGatewayVersions(db, ids),
  });
  const deps: ReportDeps = { db, listener, livePages };
  return {
    isSimulated: true,
    tellsPayersBrowser: true,
    times: TIMES,
    limits: NO_LIMITS,
    refunds: createSimulatedRefunds(surroundings),
    async createRequest(request) {
      const { id, hasChanged } = await putGatewayPayment(db, newPageId(cell), request);
      if (hasChanged) await tellOfChange(deps, id);
      return { payerUrl: `${publicOrigin}${GATEWAY_PATH}/${id}` };
    },
    async cancelRequest(paymentRequestId) {
      const cancelled = await cancelGatewayPayment(db, paymentRequestId);
      if (cancelled) await tellOfChange(deps, cancelled.id);
      const payment = cancelled ?? (await findGatewayPaymentOf(db, paymentRequestId));
      if (!payment) return 'UNKNOWN';
      const isOver = payment.state === 'CANCELLED' || payment.state === 'REFUSED';
      return isOver ? 'CANCELLED' : 'TOO_LATE';
    },
    async askState(paymentRequestId) {
      const payment = await findGatewayPaymentOf(db, paymentRequestId);
      return payment ? stateOf(payment) : { state: 'UNKNOWN' };
    },
    registerRoutes(app) {
      const stopListening = listenForGatewayChanges(db, (ids) => livePages.changed(ids));
      app.addHook('onClose', stopListening);
      registerGatewayRoutes(app, {
        ...deps,
        misses: createAddressLimit({ clock, limit: MOST_MISSES, windowMs: MINUTE_MS }),
        signIns: createAddressLimit({ clock, limit: MOST_FAILED_SIGN_INS, windowMs: MINUTE_MS }),
        isCookieSecure: !isPlainLocalhost(publicOrigin),
        timeZone,
      });
    },
    loops: loopsOf(surroundings, deps),
  };
};

function loopsOf(surroundings: NetworkSurroundings, deps: ReportDeps): LoopWork[] {
  const reports = [
    ['report-gateway-payments', (signal) => reportDuePayments(deps, signal)],
    ['report-gateway-returns', (signal) => reportDueReturns(deps, signal)],
    ['report-gateway-refunds', (signal) => reportDueRefunds(surroundings, signal)],
  ] satisfies [name: string, run: LoopWork['run']][];
  return [
    ...reports.map(([name, run]) => ({ name, intervalMs: REPORT_INTERVAL_MS, run })),
    {
      name: 'prune-gateway-sessions',
      intervalMs: PRUNE_INTERVAL_MS,
      run: () => pruneGatewaySessions(surroundings.db),
    },
  ];
}
