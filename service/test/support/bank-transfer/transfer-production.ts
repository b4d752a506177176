import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setAccount } from '#merchants/accounts/set-account.ts';
import { startBrowsable } from '../browser/browsable.ts';
import type { Production, ProductionOptions } from '../service/production.ts';
import { IBANS } from './transfer-network.ts';

export interface TransferProductionOptions extends ProductionOptions {
  readonly iban?: string;
  readonly holder?: string;
}

/**
 * A production service on bank transfer in EUR, whose merchant has an account. Its pages lie where
 * it listens.
 */
export async function startTransferProduction({
  iban = IBANS.german,
  holder = 'Harbour Books GmbH',
  settings,
  ...options
}: TransferProductionOptions = {}): Promise<Production> {
  const folder = await mkdtemp(join(tmpdir(), 'bank-files-'));
  const production = await startBrowsable({
    ...options,
    settings: {
      E_TRANSFER_NETWORK: 'bank-transfer',
      CURRENCY: 'EUR',
      BANK_FILES_DIR: folder,
      ...settings,
    },
  });
  const { service, merchant } = production;
  await setAccount(
    { db: service.database.db, clock: service.clock, actor: 'test' },
    merchant.merchantId,
    { holder, iban, bic: null },
  );
  return {
    ...production,
    async stop() {
      await production.stop();
      await rm(folder, { recursive: true });
    },
  };
}
