import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { createServer } from 'node:tls';
import type { MailServer } from '#lib/mail/mail-server.ts';
import type { MailerLimits } from '#lib/mail/mailer.ts';
import { createSmtpMailer } from '#messages/mail/smtp-mailer.ts';
import { startSmtpServer } from '../../support/mail/smtp-server.ts';
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

const MAIL = { id: '1', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

async function mailerOf(
  behaviour: Parameters<typeof startSmtpServer>[0],
  more: Partial<MailServer> = {},
  limits: Partial<MailerLimits> = {},
) {
  const server = await startSmtpServer(behaviour);
  const { hostname: host, port } = new URL(server.url);
  const where = {
    ...{ host, port: Number(port), isTls: false, needsStartTls: false, auth: null },
    ...more,
  };
  return { server, mailer: createSmtpMailer({ server: where, from: 'pay@pay.example', limits }) };
}

it('a refusal of the data before they are sent is that of the mail', async () => {
  const { server, mailer } = await mailerOf({ answers: { DATA: '554 no valid recipient' } });
  await assert.rejects(mailer.send(MAIL, AbortSignal.timeout(9_000)), { kind: 'CONTENT' });
  await server.close();
});

it('a stop waits for what the server may have taken, and breaks off what comes before', async () => {
  for (const [command, isSent] of [
    ['MAIL', false],
    ['DATA', true],
  ] as const) {
    const stop = new AbortController();
    const { server, mailer } = await mailerOf({
      before: async (asked) => {
        if (asked === command) stop.abort();
      },
    });
    const sending = mailer.send(MAIL, stop.signal);
    if (isSent) assert.equal(await sending, 'SENT');
    else await assert.rejects(sending);
    assert.equal(server.mails.length, isSent ? 1 : 0);
    await server.close();
  }
});

it('a server whose STARTTLS was taken out of its answer learns no address', async () => {
  const commands: string[] = [];
  const note = async (command: string) => void commands.push(command);
  const { server, mailer } = await mailerOf({ before: note }, { needsStartTls: true });
  await assert.rejects(mailer.send(MAIL, AbortSignal.timeout(9_000)), { kind: 'SERVER' });
  assert.deepEqual(commands, ['EHLO', 'STAR']);
  await server.close();
});

const SHORT = {
  connectionTimeoutMs: 1_000,
  greetingTimeoutMs: 400,
  socketTimeoutMs: 400,
  wholeTimeoutMs: 900,
};
const LOGIN = { auth: { user: 'ada', pass: 'wrong' } };
const AUTH = '250-mail.test\r\n250 AUTH PLAIN';
const STARTTLS = '250-mail.test\r\n250 STARTTLS';

/** TRANSIENT: the message is tried again; SERVER: all wait behind the breaker. None ends. */
it('a server that is silent, slow or busy puts a message off, and none ends by it', async () => {
  const cases = [
    [{ isSilent: true }, 'TRANSIENT'],
    [{ drips: true }, 'TRANSIENT'],
    ...['EHLO', 'MAIL', 'RCPT', 'DATA'].map((command) => [{ isSilentAt: command }, 'TRANSIENT']),
    [{ isSilentAt: 'STAR', answers: { EHLO: STARTTLS } }, 'TRANSIENT', { needsStartTls: true }],
    [{ isSilentAt: 'AUTH', answers: { EHLO: AUTH } }, 'TRANSIENT', LOGIN],
    [{ isSilentAfterData: true }, 'TRANSIENT'],
    [{ breaksAfterData: true }, 'TRANSIENT'],
    ...['MAIL', 'RCPT', 'DATA', '.'].map((at) => [{ answers: { [at]: '421 later' } }, 'TRANSIENT']),
    [{ answers: { EHLO: STARTTLS, STAR: '454 4.7.0 no TLS now' } }, 'TRANSIENT'],
    [{ answers: { EHLO: AUTH, AUTH: '454 4.7.0 ask later' } }, 'TRANSIENT', LOGIN],
    [{}, 'SERVER', { needsStartTls: true }],
    [{ answers: { EHLO: AUTH, AUTH: '535 no' } }, 'SERVER', LOGIN],
  ] as [Parameters<typeof startSmtpServer>[0], string, Partial<MailServer>?][];
  const outcomes = cases.map(async ([behaviour, kind, more]) => {
    const { server, mailer } = await mailerOf(behaviour, more, SHORT);
    const sending = mailer.send(MAIL, AbortSignal.timeout(9_000));
    await assert.rejects(sending, { kind }, JSON.stringify(behaviour));
    await server.close();
  });
  await Promise.all(outcomes);
});
