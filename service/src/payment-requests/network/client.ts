import type { ETransferNetwork, NetworkRequest } from '#e-transfer/e-transfer-network.ts';
import type { NetworkRefund } from '#e-transfer/network-refunds.ts';
import type { Clock } from '#lib/clock.ts';
import type { NetworkMetrics } from '#telemetry/metrics/network-metrics.ts';

/** The payer waits at an empty page for the answer; after this, a page says so. */
const CALL_TIMEOUT_MS = 4_000;
/** Calls of one process at a time: calls to a network that hangs must not pile up. */
const MAX_CALLS = 64;

/** The network cannot be reached, or its answer is invalid. Reconciliation tries again later. */
export class NetworkUnavailable extends Error {
  constructor(cause: unknown) {
    super('The e-transfer network does not answer.', { cause });
    this.name = 'NetworkUnavailable';
  }
}

/** The network's calls, each with a deadline and measured. All throw NetworkUnavailable. */
export type NetworkCalls = ReturnType<typeof createNetworkCalls>;

export interface NetworkCallsDeps {
  readonly network: ETransferNetwork;
  readonly clock: Clock;
  readonly metrics: NetworkMetrics;
}

export function createNetworkCalls({ network, clock, metrics }: NetworkCallsDeps) {
  let running = 0;

  async function call<Answer>(
    name: string,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (running >= MAX_CALLS) throw new NetworkUnavailable('too many calls are in progress');
    const startedMs = clock.steadyMs();
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    let outcome = 'failed';
    running += 1;
    try {
      const asked = ask(signal);
      // The answer of a call that ignores its signal is dropped.
      const answer = await Promise.race([asked, rejectionOf(signal)]);
      outcome = 'answered';
      return answer;
    } catch (error) {
      throw new NetworkUnavailable(error);
    } finally {
      running -= 1;
      metrics.networkCall({ call: name, outcome, durationMs: clock.steadyMs() - startedMs });
    }
  }

  return {
    /** @returns the URL that the payer goes to. */
    create: (request: NetworkRequest) =>
      call('create', async (signal) => {
        const { payerUrl } = await network.createRequest(request, signal);
        if (!/^https?:$/.test(new URL(payerUrl).protocol)) throw new Error('no address for payers');
        return payerUrl;
      }),
    cancel: (id: string) => call('cancel', (signal) => network.cancelRequest(id, signal)),
    askState: (id: string) => call('ask-state', (signal) => network.askState(id, signal)),
    startRefund: (refund: NetworkRefund) =>
      call('start-refund', async (signal) => refundsOf(network).start(refund, signal)),
    askRefundState: (id: string) =>
      call('ask-refund-state', async (signal) => refundsOf(network).askState(id, signal)),
  };
}

/** @throws Error where the network cannot give money back: no refund is handed to it. */
function refundsOf({ refunds }: ETransferNetwork): NonNullable<ETransferNetwork['refunds']> {
  if (!refunds) throw new Error('the network has no refunds');
  return refunds;
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
