import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestService, type TestService, type TestServiceOptions } from '../service/service.ts';
import { createTestAuthority, type TestAuthority } from './https-listener.ts';

export interface WebhookService extends TestService {
  /** Trusted by the service: makes certificates for listeners on loopback. */
  readonly authority: TestAuthority;
}

/** The whole service, allowed to send webhooks to listeners of this machine. */
export async function startWebhookService({
  settings,
  ...options
}: TestServiceOptions = {}): Promise<WebhookService> {
  const authority = await createTestAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'webhook-ca-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  const service = await startTestService({
    ...options,
    settings: {
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      WEBHOOK_ALLOW_PORTS: '*',
      ...settings,
    },
  });
  return {
    ...service,
    authority,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
