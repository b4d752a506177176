import type { NetworkDeployment } from '#commands/cli/with-network.ts';
import { makeConfiguredNetwork } from '#compose/connect-network.ts';
import { networkNamed } from '#compose/networks.ts';
import { createNetworkCalls, type NetworkCalls } from '#payment-requests/network/client.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { SERVICE_VERSION } from '../../version.ts';
import { type Listed, listOpen, listOpenRefunds, type OpenRefund } from './outside-store.ts';

/** Simultaneous calls, few enough that no network takes the check for an attack. */
const CONCURRENCY = 4;
/**
 * A fast network answers MOST_LISTED questions in seconds. A silent network stops the check after
 * this time.
 */
const LONGEST_MS = 120_000;

/** The states of the network that the database explains. */
const EXPECTED = {
  CREATED: ['OPEN', 'UNKNOWN', 'CANCELLED', 'QUEUED'],
  PROCESSING: ['ACCEPTED', 'PROCESSING', 'QUEUED'],
} as const;

/** The network says another thing than the database. */
export interface Difference {
  readonly id: string;
  readonly status: string;
  readonly network: string;
}

export interface NetworkFindings {
  /** The number of payment requests and refunds about which the network was asked. */
  readonly asked: number;
  /** Payment requests and refunds without an answer of the network, and those beyond the limit. */
  readonly unanswered: number;
  readonly paymentRequests: readonly Difference[];
  readonly refunds: readonly Difference[];
}

/**
 * Asks the network about the open payment requests and refunds of this database. A bank answers by
 * its statements only. The running service asks these questions by itself, and takes each answer.
 *
 * @returns null where the deployment has no network that can be asked
 */
export async function askNetwork(deployment: NetworkDeployment): Promise<NetworkFindings | null> {
  const { db, clock, environment, eTransferNetwork, surroundings } = deployment;
  if (networkNamed(eTransferNetwork)?.statements) return null;
  const network = await makeConfiguredNetwork(deployment, surroundings);
  if (network === null) return null;
  const metrics = createMetrics({ environment, version: SERVICE_VERSION });
  const calls = createNetworkCalls({ network, clock, metrics });
  const endsMs = clock.steadyMs() + LONGEST_MS;
  const isOver = () => clock.steadyMs() > endsMs;
  const open = await listOpen(db);
  const refunds: Listed<OpenRefund> = network.refunds
    ? await listOpenRefunds(db)
    : { count: 0, data: [] };
  const payments = await askAll(open.data, (id) => stateOf(calls, id), isOver);
  const givenBack = await askAll(refunds.data, (id) => refundStateOf(calls, id), isOver);
  const asked = payments.answered + givenBack.answered;
  return {
    asked,
    unanswered: open.count + refunds.count - asked,
    paymentRequests: payments.differences,
    refunds: givenBack.differences,
  };
}

const stateOf = async (calls: NetworkCalls, id: string) => (await calls.askState(id)).state;
const refundStateOf = async (calls: NetworkCalls, id: string) =>
  (await calls.askRefundState(id)).state;

interface Asked {
  readonly id: string;
  readonly status: 'CREATED' | 'PROCESSING';
}

async function askAll(
  all: readonly Asked[],
  ask: (id: string) => Promise<string>,
  isOver: () => boolean,
): Promise<{ readonly answered: number; readonly differences: readonly Difference[] }> {
  const differences: Difference[] = [];
  let answered = 0;
  const queue = all.values();
  async function work(): Promise<void> {
    for (const { id, status } of queue) {
      if (isOver()) return;
      // A network that does not answer is counted, and asked again by the service.
      const network = await ask(id).catch(() => null);
      if (network === null) continue;
      answered += 1;
      const isExpected = (EXPECTED[status] as readonly string[]).includes(network);
      if (!isExpected) differences.push({ id, status, network });
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { answered, differences };
}
