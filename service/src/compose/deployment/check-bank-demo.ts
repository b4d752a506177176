import { type Config, ConfigFaults } from '#config.ts';
import type { DatabaseDeps } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { findDeployment, hasAmounts, lockDeployment, markBankDemo } from './deployment-store.ts';

/**
 * A database becomes a demo with its first start under BANK_DEMO, and stays one for ever: made
 * money must not stand beside real money (bank-transfer §6).
 *
 * @throws ConfigFaults for a demo that starts as none, and for a demo on a database with amounts
 */
export async function checkBankDemo(
  { db, clock }: DatabaseDeps,
  { bank }: Pick<Config, 'bank'>,
): Promise<void> {
  // All starts but the first need no lock.
  const { isDemo: isMarked } = await findDeployment(db);
  if (isMarked === bank.isDemo) return;
  if (isMarked) {
    throw new ConfigFaults([
      'BANK_DEMO is not yes, and this database is a demo, whose money is made up. A demo never ' +
        'becomes real: set BANK_DEMO=yes, or use another database.',
    ]);
  }
  await db.transaction(async (tx) => {
    if ((await lockDeployment(tx)).isDemo) return;
    if (await hasAmounts(tx)) {
      throw new ConfigFaults([
        'BANK_DEMO is yes, and this database holds amounts of a real deployment. A demo needs a ' +
          'database of its own.',
      ]);
    }
    await markBankDemo(tx);
    await recordAct(tx, { clock, actor: 'payreq serve' }, 'BANK_DEMO_MARKED', null, {});
  });
}
