import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { createServer } from 'node:tls';
import { createSmtpMailer } from '#messages/mail/smtp-mailer.ts';
import { createTestAuthority } from '../../support/webhooks/https-listener.ts';

it('a certificate that nobody vouches for is the fault of the server, and not of a mail', async () => {
  const server = createServer(await (await createTestAuthority()).issue());
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mailer = createSmtpMailer({
    server: { host: '127.0.0.1', port, isTls: true, needsStartTls: false, auth: null },
    from: 'pay@pay.example',
  });
  const mail = { id: '1', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  await assert.rejects(mailer.send(mail, AbortSignal.timeout(9_000)), {
    kind: 'SERVER',
    reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
  server.close();
});
