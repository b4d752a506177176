import { freePort } from '../free-port.ts';
import { type Production, type ProductionOptions, startProduction } from '../service/production.ts';

/** A production service whose links a browser can follow: its public address is where it listens. */
export async function startBrowsable(options: ProductionOptions = {}): Promise<Production> {
  const settings = { ...(await browsableSettings()), ...options.settings };
  return startProduction({ ...options, settings });
}

/** The settings with which a service's public address is where it listens. */
export async function browsableSettings(): Promise<Readonly<Record<string, string>>> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  return {
    PORT: `${port}`,
    PUBLIC_API_URL: `${origin}/v1`,
    PUBLIC_AUTH_URL: `${origin}/oauth2/token`,
    PAYMENT_LINK_BASE: `${origin}/pay`,
    // So that a test can come from more than one address.
    TRUSTED_PROXIES: '127.0.0.1/32',
  };
}
