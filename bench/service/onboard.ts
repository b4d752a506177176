import type { Database } from '../../service/src/database/database.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { rotatingKey } from '../../service/src/lib/secret-key.ts';
import { onboardMerchant } from '../../service/src/merchants/onboard-merchant.ts';

/** Onboards a merchant, with an endpoint if there is a URL. */
export function onboard(
  db: Database,
  settings: Readonly<Record<string, string>>,
  webhookUrl: string | null,
) {
  const secret = (name: string) => rotatingKey(settings[name] ?? '');
  return onboardMerchant(
    {
      db,
      clock: systemClock,
      environment: settings.ENVIRONMENT === 'production' ? 'production' : 'sandbox',
      cell: 1,
      credentialsPepper: secret('CREDENTIALS_PEPPER'),
      secretsKey: secret('SECRETS_KEY'),
      checkWebhookUrl: async () => ({ allowed: true }),
      actor: 'bench',
    },
    { name: 'Bench', webhookUrl, webhookOrigins: [] },
  );
}

/** Onboards a merchant with an endpoint. @returns the merchant's id */
export async function onboardListener(
  db: Database,
  settings: Readonly<Record<string, string>>,
  webhookUrl: string,
): Promise<string> {
  return (await onboard(db, settings, webhookUrl)).merchantId;
}
