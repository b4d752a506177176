import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  MakeNetwork,
  NetworkState,
  NetworkSurroundings,
  NetworkTimes,
} from '#e-transfer/e-transfer-network.ts';
import { newPageId } from '#lib/cells/page-id.ts';

/** The part of the configuration that this network reads. */
export interface WalletSettings {
  /** The provider's API, as in `https://api.wallet.example/v1`. */
  readonly walletUrl: string;
  /** Authenticates our calls, and signs the provider's callbacks. */
  readonly walletKey: string;
}

/** A payment, in the provider's words. */
export interface WalletPayment {
  /** Our payment request. */
  readonly id: string;
  readonly state: 'OPEN' | 'CONFIRMED' | 'PAID' | 'REFUSED' | 'CANCELLED';
  readonly payUrl: string;
  /** Such as `12.34`. */
  readonly amount: string;
  readonly currency: string;
  readonly transaction: string | null;
  readonly paidAt: string | null;
}

/** The provider settles within the minute; a day leaves room for its outages. */
const TIMES: NetworkTimes = {
  defaultExpirySeconds: 86_400,
  longestExpirySeconds: 30 * 86_400,
  slowestSettlementSeconds: 86_400,
};

/** The highest payment of a wallet. */
const HIGHEST_AMOUNT_CENTS = 500_000;
/** A callback is a payment in JSON. */
const MOST_CALLBACK_BYTES = 4_096;

/** A network of wallets: an HTTP API for our calls, and signed callbacks. */
export const createWalletNetwork =
  (settings: WalletSettings): MakeNetwork =>
  (surroundings) => ({
    isSimulated: false,
    tellsPayersBrowser: false,
    times: TIMES,
    limits: {
      currencies: ['EUR'],
      highestAmountCents: HIGHEST_AMOUNT_CENTS,
      needsCreditorAccount: false,
    },
    refunds: null,
    loops: [],
    async createRequest(request, signal) {
      const { publicOrigin, cell } = surroundings;
      const payment = await call(settings, 'PUT', request.paymentRequestId, signal, {
        amount: (request.amountCents / 100).toFixed(2),
        currency: request.currency,
        payee: request.merchantName,
        expiresAt: request.expiresAt,
        returnUrl: request.returnUrl,
        callbackUrl: `${publicOrigin}/wallet/callbacks/${newPageId(cell)}`,
      });
      if (!payment) throw new Error('the provider has lost the payment that it was given');
      return { payerUrl: payment.payUrl };
    },
    async cancelRequest(paymentRequestId, signal) {
      const payment = await call(settings, 'DELETE', paymentRequestId, signal);
      if (!payment) return 'UNKNOWN';
      return payment.state === 'CANCELLED' ? 'CANCELLED' : 'TOO_LATE';
    },
    async askState(paymentRequestId, signal) {
      const payment = await call(settings, 'GET', paymentRequestId, signal);
      return payment ? stateOf(payment) : { state: 'UNKNOWN' };
    },
    registerRoutes(app) {
      // The signature covers the bytes, so that the body must not be parsed before.
      app.removeContentTypeParser('application/json');
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, body),
      );
      app.post<{ Body: Buffer }>(
        '/wallet/callbacks/:id',
        { bodyLimit: MOST_CALLBACK_BYTES, schema: { hide: true } },
        async ({ body, headers }, reply) => {
          if (!isSigned(settings, body, headers['wallet-signature'])) return reply.code(401).send();
          await takeCallback(surroundings, JSON.parse(body.toString()) as WalletPayment);
          // A failure answers 500 before this line, and the provider calls again.
          return reply.code(204).send();
        },
      );
    },
  });

/** @returns null for a payment that the provider does not know */
async function call(
  { walletUrl, walletKey }: WalletSettings,
  method: 'PUT' | 'GET' | 'DELETE',
  paymentRequestId: string,
  signal: AbortSignal,
  body?: object,
): Promise<WalletPayment | null> {
  const answer = await fetch(`${walletUrl}/payments/${paymentRequestId}`, {
    method,
    signal,
    redirect: 'error',
    headers: { authorization: `Bearer ${walletKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
  return (await answer.json()) as WalletPayment;
}

function isSigned({ walletKey }: WalletSettings, body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', walletKey).update(body).digest();
  const given = Buffer.from(String(signature), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function takeCallback({ listener }: NetworkSurroundings, payment: WalletPayment) {
  const outcome = stateOf(payment);
  if (outcome.state === 'OPEN' || outcome.state === 'CANCELLED') return;
  if (outcome.state === 'UNKNOWN') return;
  await listener.report({ paymentRequestId: payment.id, outcome, isRevocable: false });
}

/** The provider's words in ours. */
function stateOf({ state, amount, currency, transaction, paidAt }: WalletPayment): NetworkState {
  if (state === 'OPEN' || state === 'CANCELLED') return { state };
  if (state === 'CONFIRMED') return { state: 'ACCEPTED' };
  if (state === 'REFUSED') return { state, reason: 'NETWORK_REJECTED' };
  if (transaction === null || paidAt === null) throw new Error('a paid payment without its facts');
  return {
    state: 'SUCCEEDED',
    amountCents: Math.round(Number(amount) * 100),
    currency,
    institution: 'Wallet',
    networkReference: transaction,
    completedAt: new Date(paidAt),
  };
}
