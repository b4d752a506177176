import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  ETransferNetwork,
  NetworkListener,
  NetworkReport,
  NetworkRequest,
} from '#e-transfer/e-transfer-network.ts';

/** A network under test. */
export interface CheckedNetwork {
  readonly network: ETransferNetwork;
  /** A payment request that the network has never seen, and accepts. */
  newRequest(): NetworkRequest | Promise<NetworkRequest>;
  readonly reports: ReportRecorder;
  stop(): unknown;
}

/** A network whose payers a test can play. */
export interface PayableNetwork extends CheckedNetwork {
  /** The payer pays the whole amount, and the network reports until its report is taken. */
  pay(request: NetworkRequest): Promise<void>;
}

interface Check<Checked> {
  /** A promise on which this service relies. */
  readonly title: string;
  run(checked: Checked): Promise<void>;
}

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
/** A call whose signal is aborted ends within this time, so that calls do not pile up. */
const LONGEST_ABORTED_MS = 1_000;
const signal = () => AbortSignal.timeout(4_000);

/** The contract of every network. */
export const NETWORK_CHECKS: readonly Check<CheckedNetwork>[] = [
  {
    title: 'states times in their order, and limits that a payment can keep',
    async run({ network: { times, limits } }) {
      assert.ok(times.defaultExpirySeconds > 0);
      assert.ok(times.defaultExpirySeconds <= times.longestExpirySeconds);
      assert.ok(times.slowestSettlementSeconds > 0);
      assert.ok(limits.highestAmountCents === null || limits.highestAmountCents > 0);
      assert.ok(limits.currencies === null || limits.currencies.length > 0);
    },
  },
  {
    title: 'answers one address for a payment request, however often and however fast it is sent',
    async run({ network, newRequest }) {
      const request = await newRequest();
      const send = async () => (await network.createRequest(request, signal())).payerUrl;
      const urls = await Promise.all([send(), send(), send()]);
      const changed = { ...request, displayMessage: 'Another message' };
      urls.push((await network.createRequest(changed, signal())).payerUrl);
      assert.deepEqual(new Set(urls).size, 1);
      assert.match(urls[0] ?? '', /^https?:/);
    },
  },
  {
    title: 'knows no payment request that was never sent',
    async run({ network }) {
      assert.deepEqual(await network.askState(UNKNOWN_ID, signal()), { state: 'UNKNOWN' });
      assert.equal(await network.cancelRequest(UNKNOWN_ID, signal()), 'UNKNOWN');
      const refund = await network.refunds?.askState(UNKNOWN_ID, signal());
      assert.deepEqual(refund ?? { state: 'UNKNOWN' }, { state: 'UNKNOWN' });
    },
  },
  {
    title: 'leaves a payment request open until a payer acts, and reports nothing',
    async run({ network, newRequest, reports }) {
      const request = await newRequest();
      await network.createRequest(request, signal());
      const state = await network.askState(request.paymentRequestId, signal());
      assert.deepEqual(state, { state: 'OPEN' });
      assert.deepEqual(reports.of(request), []);
    },
  },
  {
    title: 'cancels as often as asked, and says whether money can still come',
    async run({ network, newRequest }) {
      const request = await newRequest();
      await network.createRequest(request, signal());
      const first = await network.cancelRequest(request.paymentRequestId, signal());
      assert.ok(first === 'CANCELLED' || first === 'CANNOT_PREVENT', first);
      assert.equal(await network.cancelRequest(request.paymentRequestId, signal()), first);
      const { state } = await network.askState(request.paymentRequestId, signal());
      assert.equal(state, first === 'CANCELLED' ? 'CANCELLED' : 'OPEN');
    },
  },
  {
    title: 'opens a cancelled payment request again when it is sent again',
    async run({ network, newRequest }) {
      const request = await newRequest();
      await network.createRequest(request, signal());
      await network.cancelRequest(request.paymentRequestId, signal());
      await network.createRequest(request, signal());
      const state = await network.askState(request.paymentRequestId, signal());
      assert.deepEqual(state, { state: 'OPEN' });
    },
  },
  {
    title: 'ends a call whose signal is aborted',
    async run({ network, newRequest }) {
      const { paymentRequestId } = await newRequest();
      const ended = network.askState(paymentRequestId, AbortSignal.abort()).catch(() => {});
      const late = Symbol('late');
      const timer = new Promise((resolve) => {
        setTimeout(() => resolve(late), LONGEST_ABORTED_MS).unref();
      });
      assert.notEqual(await Promise.race([ended, timer]), late);
    },
  },
];

/** The contract of a network about money. */
export const MONEY_CHECKS: readonly Check<PayableNetwork>[] = [
  {
    title: 'reports money again after a report that was not taken, under one network reference',
    async run({ network, newRequest, reports, pay }) {
      const request = await newRequest();
      await network.createRequest(request, signal());
      reports.failNext();
      await pay(request);
      const references = reports.of(request).map(({ outcome }) => {
        assert.ok(outcome.state === 'SUCCEEDED', outcome.state);
        assert.deepEqual(
          [outcome.amountCents, outcome.currency],
          [request.amountCents, request.currency],
        );
        return outcome.networkReference;
      });
      assert.ok(references.length >= 2, `${references.length} reports`);
      assert.equal(new Set(references).size, 1);
    },
  },
  {
    title: 'says that a paid payment request is too late to cancel, and answers its payment',
    async run({ network, newRequest, reports, pay }) {
      const request = await newRequest();
      await network.createRequest(request, signal());
      await pay(request);
      assert.equal(await network.cancelRequest(request.paymentRequestId, signal()), 'TOO_LATE');
      const state = await network.askState(request.paymentRequestId, signal());
      assert.deepEqual(state, reports.of(request).at(-1)?.outcome);
    },
  },
];

/** Checks a network against its contract, one test for each promise. */
export function checkNetwork<Checked extends CheckedNetwork>(
  name: string,
  checks: readonly Check<Checked>[],
  start: () => Promise<Checked>,
): void {
  describe(`a network, ${name}`, () => {
    let checked: Checked;
    before(async () => {
      checked = await start();
    });
    after(() => checked?.stop());
    for (const { title, run } of checks) it(title, () => run(checked));
  });
}

/** The listener of a network under test: it keeps each report. */
export interface ReportRecorder {
  readonly listener: NetworkListener;
  of(request: NetworkRequest): readonly NetworkReport[];
  /** The next report is not taken: its call throws. */
  failNext(): void;
}

export function recordReports(): ReportRecorder {
  const reports: NetworkReport[] = [];
  let isFailing = false;
  const listener: Pick<NetworkListener, 'report' | 'noteStep'> = {
    async report(report) {
      reports.push(report);
      if (!isFailing) return 'TAKEN';
      isFailing = false;
      throw new Error('the report could not be written');
    },
    noteStep() {},
  };
  return {
    listener: listener as NetworkListener,
    of: (request) =>
      reports.filter(({ paymentRequestId }) => paymentRequestId === request.paymentRequestId),
    failNext() {
      isFailing = true;
    },
  };
}
