import type {
  Cancellation,
  ETransferNetwork,
  NetworkRequest,
  NetworkState,
} from '#e-transfer/e-transfer-network.ts';
import type { Clock } from '#lib/clock.ts';
import type { NetworkMetrics } from '#telemetry/metrics/network-metrics.ts';

/** A payer waits for the answer in front of an empty page; longer than this, a page says so. */
const PATIENCE_MS = 4_000;
/** Calls of one process that may be under way: a network that hangs must not gather them. */
const MOST_UNDER_WAY = 64;

/** The network cannot be reached, or does not answer sense. It is asked again later. */
export class NetworkUnavailable extends Error {
  constructor(cause: unknown) {
    super('The e-transfer network does not answer.', { cause });
    this.name = 'NetworkUnavailable';
  }
}

/** The network's calls, each with a deadline and measured. All throw NetworkUnavailable. */
export interface NetworkCalls {
  /** Where the payer goes. */
  create(request: NetworkRequest): Promise<string>;
  cancel(paymentRequestId: string): Promise<Cancellation>;
  askState(paymentRequestId: string): Promise<NetworkState>;
}

export interface NetworkCallsDeps {
  readonly network: ETransferNetwork;
  readonly clock: Clock;
  readonly metrics: NetworkMetrics;
}

export function createNetworkCalls({ network, clock, metrics }: NetworkCallsDeps): NetworkCalls {
  let underWay = 0;

  async function call<Answer>(
    name: string,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (underWay >= MOST_UNDER_WAY) throw new NetworkUnavailable('too many calls are under way');
    const startedMs = clock.steadyMs();
    const signal = AbortSignal.timeout(PATIENCE_MS);
    let outcome = 'failed';
    underWay += 1;
    try {
      const asked = ask(signal);
      // One that does not heed its signal is left alone with its answer.
      const answer = await Promise.race([asked, rejectionOf(signal)]);
      outcome = 'answered';
      return answer;
    } catch (error) {
      throw new NetworkUnavailable(error);
    } finally {
      underWay -= 1;
      metrics.networkCall({ call: name, outcome, durationMs: clock.steadyMs() - startedMs });
    }
  }

  return {
    create: (request) =>
      call('create', async (signal) => {
        const { payerUrl } = await network.createRequest(request, signal);
        if (!/^https?:$/.test(new URL(payerUrl).protocol)) throw new Error('no address for payers');
        return payerUrl;
      }),
    cancel: (id) => call('cancel', (signal) => network.cancelRequest(id, signal)),
    askState: (id) => call('ask-state', (signal) => network.askState(id, signal)),
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
