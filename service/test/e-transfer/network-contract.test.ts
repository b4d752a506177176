import Fastify from 'fastify';
import type { MakeNetwork, NetworkRequest } from '#e-transfer/e-transfer-network.ts';
import { createSimulatedNetwork } from '#e-transfer/simulated-network/simulated-network.ts';
import {
  startTransferNetwork,
  surroundingsOf,
  transferRequest,
} from '../support/bank-transfer/transfer-network.ts';
import { createTestDatabase } from '../support/database.ts';
import {
  type CheckedNetwork,
  checkNetwork,
  MONEY_CHECKS,
  NETWORK_CHECKS,
  recordReports,
} from '../support/example-network/network-checks.ts';
import { WALLET } from '../support/example-network/wallet-description.ts';
import { startWalletProvider } from '../support/example-network/wallet-provider.ts';
import { createFakeClock } from '../support/fake-clock.ts';

/** A network with a database of its own. */
async function startNetwork(make: MakeNetwork): Promise<CheckedNetwork> {
  const clock = createFakeClock();
  const database = await createTestDatabase('production', clock.now());
  const reports = recordReports();
  const network = make({ ...surroundingsOf(database, clock), listener: reports.listener });
  return { network, reports, newRequest: () => transferRequest(null), stop: () => database.drop() };
}

checkNetwork('the example of the guide', [...NETWORK_CHECKS, ...MONEY_CHECKS], async () => {
  const provider = await startWalletProvider();
  const checked = await startNetwork(await WALLET.load(provider.settings));
  const app = Fastify();
  app.register(async (scope) => checked.network.registerRoutes(scope));
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...checked,
    async pay({ paymentRequestId }: NetworkRequest) {
      provider.pay(paymentRequestId);
      // The provider calls back until it is acknowledged.
      while ((await provider.callBack(paymentRequestId, origin)) !== 204);
    },
    async stop() {
      await app.close();
      provider.stop();
      await checked.stop();
    },
  };
});

checkNetwork('the simulated one', NETWORK_CHECKS, () => startNetwork(createSimulatedNetwork));

checkNetwork('bank transfers', NETWORK_CHECKS, async () => {
  const bank = await startTransferNetwork();
  const account = await bank.addAccount();
  return {
    network: bank.network,
    reports: recordReports(),
    newRequest: () => transferRequest(account),
    stop: () => bank.stop(),
  };
});
