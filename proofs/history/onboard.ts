import { connectDatabase } from '../../service/src/database/database.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import type { Environment } from '../../service/src/lib/environment.ts';
import { rotatingKey } from '../../service/src/lib/secret-key.ts';
import { onboardMerchant } from '../../service/src/merchants/onboard-merchant.ts';
import type { WorkloadMerchant } from './call-service.ts';

/** More than the refunds of every run: the limit of a day is no subject of these proofs. */
const REFUNDS_PER_DAY_CENTS = 1_000_000_000;

/** Onboards merchants of the settings' environment in a migrated database. */
export async function onboardMerchants(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  count: number,
  webhookOrigins: readonly string[] = [],
): Promise<WorkloadMerchant[]> {
  const db = connectDatabase({ url: databaseUrl, poolSize: 1 });
  const secret = (name: string) => rotatingKey(settings[name] ?? '');
  try {
    const merchants: WorkloadMerchant[] = [];
    for (let number = 1; number <= count; number += 1) {
      const deps = {
        db,
        clock: systemClock,
        environment: environmentOf(settings),
        cell: 1,
        credentialsPepper: secret('CREDENTIALS_PEPPER'),
        secretsKey: secret('SECRETS_KEY'),
        checkWebhookUrl: async () => ({ allowed: true as const }),
        refundsPerDayCents: REFUNDS_PER_DAY_CENTS,
        actor: 'proof',
      };
      const name = `Shop ${number}`;
      merchants.push(await onboardMerchant(deps, { name, webhookUrl: null, webhookOrigins }));
    }
    return merchants;
  } finally {
    await db.close();
  }
}

function environmentOf({ ENVIRONMENT }: Readonly<Record<string, string>>): Environment {
  return ENVIRONMENT === 'production' ? 'production' : 'sandbox';
}
