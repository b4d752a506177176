import { type Config, ConfigFaults } from '#config.ts';
import type { DatabaseDeps, Executor } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import {
  findDeployment,
  hasAmounts,
  hasOpenMoney,
  lockDeployment,
  type RecordedMoney,
  recordMoney,
} from './deployment-store.ts';

export type MoneySettings = Pick<Config, 'currency' | 'eTransferNetwork'>;

/**
 * Records the currency and the network at the first start, and compares them with the settings at
 * every other (decision 0051). Without open money a start with another network records it.
 *
 * @throws ConfigFaults where stored amounts, or open payment requests, need the recorded setting
 */
export async function checkDeploymentMoney(
  { db, clock }: DatabaseDeps,
  { currency, eTransferNetwork: network }: MoneySettings,
): Promise<void> {
  const wanted = { currency, network };
  // All starts but the first need no lock.
  if (isSame(await findDeployment(db), wanted)) return;
  await db.transaction(async (tx) => {
    const { currency: recordedCurrency, network: recordedNetwork } = await lockDeployment(tx);
    const recorded = { currency: recordedCurrency, network: recordedNetwork };
    if (isSame(recorded, wanted)) return;
    if (recorded.currency === null) return recordMoney(tx, wanted);
    const faults = await findFaults(tx, recorded, wanted);
    if (faults.length > 0) throw new ConfigFaults(faults);
    await recordMoney(tx, wanted);
    await recordAct(tx, { clock, actor: 'payreq serve' }, 'DEPLOYMENT_MONEY_CHANGED', null, {
      from: recorded,
      to: wanted,
    });
  });
}

/**
 * Refuses another currency than the recorded one, for commands: they print and write amounts.
 *
 * @throws ConfigFaults
 */
export async function refuseOtherCurrency(
  db: Executor,
  { currency }: Pick<Config, 'currency'>,
): Promise<void> {
  const recorded = (await findDeployment(db)).currency;
  if (recorded === null || recorded === currency) return;
  throw new ConfigFaults([otherCurrency(recorded, currency)]);
}

async function findFaults(
  tx: Executor,
  recorded: RecordedMoney,
  { currency, network }: { readonly currency: string; readonly network: string | null },
): Promise<string[]> {
  const faults: string[] = [];
  if (recorded.currency !== null && recorded.currency !== currency && (await hasAmounts(tx))) {
    faults.push(otherCurrency(recorded.currency, currency));
  }
  if (recorded.network !== network && (await hasOpenMoney(tx))) {
    faults.push(
      `E_TRANSFER_NETWORK is ${network ?? 'not set'}, and this database has open payment ` +
        `requests or refunds on ${recorded.network ?? 'no network'}: money for them would never ` +
        'be found. ' +
        'Start with the former network, and let them end or cancel them first.',
    );
  }
  return faults;
}

function otherCurrency(recorded: string, currency: string): string {
  return (
    `CURRENCY is ${currency}, and this database holds amounts in ${recorded}: amounts carry no ` +
    `currency of their own. Set CURRENCY=${recorded}, or use another database.`
  );
}

function isSame(left: RecordedMoney, right: RecordedMoney): boolean {
  return left.currency === right.currency && left.network === right.network;
}
