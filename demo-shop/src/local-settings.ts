import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListenerCredentials } from '@payment-requests/sdk';

/** The part of credentials.json for an environment. */
export interface EnvironmentCredentials {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly paymentLinkBase: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly listener: ListenerCredentials;
}

export interface LocalSettings {
  readonly localDir: string;
  readonly basePort: number;
  /** ISO 4217: the currency of the production service. */
  readonly currency: string;
  readonly sandbox: EnvironmentCredentials;
  readonly production: EnvironmentCredentials;
  /** PEM texts of a certificate for localhost. */
  readonly tls: { readonly cert: string; readonly key: string };
}

/**
 * Reads the settings of `npm start` (LOCAL_DIR, BASE_PORT, CURRENCY). A real shop has its own
 * settings.
 */
export function readLocalSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const localDir = env.LOCAL_DIR || '.local';
  const file = join(localDir, 'credentials.json');
  try {
    const { sandbox, production, shopUrl, tls } = JSON.parse(readFileSync(file, 'utf8'));
    return {
      localDir,
      // The shop stands at BASE_PORT.
      basePort: Number(env.BASE_PORT || new URL(shopUrl).port),
      currency: env.CURRENCY || 'CAD',
      sandbox,
      production,
      tls: { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') },
    };
  } catch (error) {
    const why = 'run npm start first, and leave it running';
    throw new Error(`${file} cannot be read: ${why}.`, { cause: error });
  }
}
