import type {
  Cancellation,
  ETransferNetwork,
  MakeNetwork,
  NetworkLimits,
  NetworkListener,
  NetworkOutcome,
  NetworkRequest,
  NetworkState,
  NetworkTimes,
} from '#e-transfer/e-transfer-network.ts';

/** The times and limits that a network states; left out: as the simulated network. */
export interface FakeNetworkOptions {
  readonly times?: Partial<NetworkTimes>;
  readonly limits?: Partial<NetworkLimits>;
  /** The answer to each cancellation. */
  readonly cancellation?: Cancellation;
}

/** Another network in the chair: it does what a test says, and reports only when it is told to. */
export interface FakeNetwork {
  readonly make: MakeNetwork;
  readonly listener: NetworkListener;
  /** The latest call to create each payment request. */
  readonly requests: Map<string, NetworkRequest>;
  /** Every call, in order, as `create ID`. */
  readonly calls: string[];
  /** The states that the network answers when asked; OPEN for all others it knows. */
  readonly states: Map<string, NetworkState>;
  readonly cancelled: Set<string>;
  /** How it answers from now on. */
  behave(how: 'WELL' | 'DOWN' | 'NEVER' | 'NONSENSE'): void;
}

export function createFakeNetwork({
  times = {},
  limits = {},
  cancellation,
}: FakeNetworkOptions = {}): FakeNetwork {
  const requests = new Map<string, NetworkRequest>();
  const calls: string[] = [];
  const states = new Map<string, NetworkState>();
  const cancelled = new Set<string>();
  let listener: NetworkListener | undefined;
  let behaviour: Parameters<FakeNetwork['behave']>[0] = 'WELL';

  async function called(name: string, id: string): Promise<void> {
    calls.push(`${name} ${id}`);
    if (behaviour === 'DOWN') throw new Error('connection refused');
    // It does not even heed the signal.
    if (behaviour === 'NEVER') await new Promise(() => {});
  }

  const network: ETransferNetwork = {
    isSimulated: false,
    tellsPayersBrowser: true,
    times: {
      defaultExpirySeconds: 24 * 3_600,
      longestExpirySeconds: 365 * 86_400,
      slowestSettlementSeconds: 72 * 3_600,
      ...times,
    },
    limits: {
      currencies: null,
      highestAmountCents: null,
      needsCreditorAccount: false,
      ...limits,
    },
    refunds: null,
    async createRequest(request) {
      await called('create', request.paymentRequestId);
      requests.set(request.paymentRequestId, request);
      if (states.get(request.paymentRequestId)?.state === 'CANCELLED') {
        states.delete(request.paymentRequestId);
      }
      const isWell = behaviour === 'WELL';
      const payerUrl = isWell
        ? `https://network.example/${request.paymentRequestId}`
        : 'javascript:';
      return { payerUrl };
    },
    async cancelRequest(id): Promise<Cancellation> {
      await called('cancel', id);
      if (cancellation) return cancellation;
      if (!requests.has(id)) return 'UNKNOWN';
      const state = states.get(id)?.state ?? 'OPEN';
      if (state === 'ACCEPTED' || state === 'SUCCEEDED') return 'TOO_LATE';
      cancelled.add(id);
      return 'CANCELLED';
    },
    async askState(id): Promise<NetworkState> {
      await called('ask', id);
      return states.get(id) ?? { state: requests.has(id) ? 'OPEN' : 'UNKNOWN' };
    },
    registerRoutes() {},
    loops: [],
  };

  return {
    make: (surroundings) => {
      listener = surroundings.listener;
      return network;
    },
    get listener() {
      if (!listener) throw new Error('The network has not been made yet.');
      return listener;
    },
    requests,
    calls,
    states,
    cancelled,
    behave(how) {
      behaviour = how;
    },
  };
}

/** Money of 12.34 that arrived, with changes. */
export function success(
  changes: Partial<Extract<NetworkOutcome, { state: 'SUCCEEDED' }>> = {},
): NetworkOutcome {
  return {
    state: 'SUCCEEDED',
    amountCents: 1234,
    currency: 'CAD',
    institution: 'Other Bank',
    networkReference: 'REF-1',
    completedAt: new Date('2026-03-01T12:00:00.000Z'),
    ...changes,
  };
}
