import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestAuthority } from '../../service/test/support/webhooks/https-listener.ts';

/** The certificate of the bench's listeners, and the authority that a sender must trust. */
export interface ListenerTls {
  /** A PEM file, for WEBHOOK_CA_FILE. */
  readonly caFile: string;
  /** `{ cert, key }` as JSON, for listeners in other processes. */
  readonly tlsFile: string;
}

/** Makes a certificate authority in the folder; its key is never written. */
export async function makeListenerTls(folder: string): Promise<ListenerTls> {
  const authority = await createTestAuthority();
  const caFile = join(folder, 'listeners-ca.pem');
  const tlsFile = join(folder, 'listeners-tls.json');
  writeFileSync(caFile, authority.caPem);
  writeFileSync(tlsFile, JSON.stringify(await authority.issue()), { mode: 0o600 });
  return { caFile, tlsFile };
}

/** Settings that let the service send to loopback addresses (for local development only). */
export function loopbackWebhooks({ caFile }: ListenerTls): Readonly<Record<string, string>> {
  return {
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
  };
}
