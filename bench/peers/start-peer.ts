import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../service/test/support/free-port.ts';
import { type Child, startChild } from '../child-processes/start-child.ts';
import type { BenchMerchant } from '../service/service-under-test.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Tells whether `npm run bench` has installed the packages of this folder. */
export function arePeersInstalled(): boolean {
  return ['oidc-provider', 'pg-boss', 'graphile-worker'].every((name) =>
    existsSync(pathOf(`node_modules/${name}/package.json`)),
  );
}

/** Starts oidc-provider with a client that has the merchant's credentials. */
export async function startOidcProvider(
  { username, password }: BenchMerchant,
  format: 'opaque' | 'jwt',
) {
  const port = await freePort();
  const args = [`${port}`, username, password, format];
  const child = await startChild(pathOf('oidc-provider.mjs'), args);
  return { ...child, url: `http://127.0.0.1:${port}` };
}

/** Starts a job queue; it understands `drain` and `stop` messages (peers/webhook-queue.mjs). */
export function startQueue(
  name: 'pg-boss' | 'graphile-worker',
  databaseUrl: string,
  caFile: string,
): Promise<Child> {
  return startChild(pathOf(`${name}.mjs`), [databaseUrl, caFile]);
}
