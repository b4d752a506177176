import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  type SmtpBehaviour,
  type SmtpServer,
  startSmtpServer,
} from '../support/mail/smtp-server.ts';
import {
  type DnsServer,
  type OtherRecords,
  startDnsServer,
} from '../support/network/dns-server.ts';
import { settingsOf } from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PUBLIC = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const WITH_PASSWORD = '250-mail.test\r\n250 AUTH PLAIN';

let server: SmtpServer;
let dns: DnsServer;
let published: OtherRecords;
before(async () => {
  server = await startSmtpServer();
  dns = await startDnsServer(
    () => 'NXDOMAIN',
    (...asked) => published(...asked),
  );
});
beforeEach(() => {
  published = () => [];
});
after(async () => {
  await server.close();
  await dns.close();
});

const check = (settings: Record<string, string>, ...flags: string[]) =>
  runCli(['mail', 'check', ...flags], {
    ...settingsOf('production', 'postgres://localhost/unused'),
    MAIL_FROM: 'pay@Pay.example',
    WEBHOOK_RESOLVERS: dns.address,
    ...settings,
  });
const withUser = () => server.url.replace('//', '//ada:hidden-word@');

describe('payreq mail check', () => {
  it('signs in, sends no mail, and prints the lines to publish', async () => {
    server.behave({ answers: { EHLO: WITH_PASSWORD, AUTH: '235 welcome' } });
    const dkim = { MAIL_DKIM_KEY: PEM, MAIL_DKIM_SELECTOR: 'mail2026' };
    const { exitCode, stdout, stderr } = await check({ MAIL_SMTP_URL: withUser(), ...dkim });
    assert.equal(exitCode, 0, stderr);
    assert.equal(server.mails.length, 0);
    assert.match(stdout, /^127\.0\.0\.1:\d+ takes the service’s connection and password\./);
    assert.match(stdout, /^ {2}pay\.example\. IN TXT$/m);
    assert.match(stdout, /v=spf1 ip4:ADDRESS -all/);
    const published = /^ {2}mail2026\._domainkey\.pay\.example\. IN TXT (.+)$/m.exec(stdout)?.[1];
    const strings = [...(published ?? '').matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
    assert.ok(strings.length > 1 && strings.every(({ length }) => length <= 255));
    assert.equal(strings.join(''), `v=DKIM1; k=rsa; p=${PUBLIC}`);
    assert.match(stdout, /^ {2}_dmarc\.pay\.example\. IN TXT "v=DMARC1; p=quarantine; /m);
    assert.doesNotMatch(stdout + stderr, /hidden-word|PRIVATE KEY/);
  });

  it('names the server of another machine in SPF, and who signs without a key', async () => {
    const server = { MAIL_SMTP_URL: 'smtp://mail.invalid', MAIL_BOUNCE_DOMAIN: 'b.pay.example' };
    const { exitCode, json } = await check(server, '--json');
    assert.equal(exitCode, 1);
    const { ok, fault, records } = json();
    assert.equal(ok, false);
    assert.match(fault, /^mail\.invalid:587 has no address: correct the host in MAIL_SMTP_URL/);
    const [spf, returned, dkim] = records;
    assert.equal(spf.text, 'v=spf1 a:mail.invalid -all');
    // Recipients ask for the SPF of the envelope's sender.
    assert.deepEqual([returned.name, returned.text], ['b.pay.example', spf.text]);
    assert.deepEqual([dkim.name, dkim.text], ['SELECTOR._domainkey.pay.example', null]);
  });

  it('says what the DNS has for each line', async () => {
    const zone: Record<string, readonly string[]> = {
      'TXT pay.example': ['v=spf1 a:mail.example -all', 'google-site-verification=x'],
      'TXT b.pay.example': ['v=spf1 -all', 'v=spf1 +all'],
      'TXT mail2026._domainkey.pay.example': ['v=DKIM1; k=rsa; p=b3RoZXI='],
      'MX b.pay.example': ['mx.pay.example'],
    };
    published = (name, type) => zone[`${type} ${name}`] ?? [];
    const settings = {
      MAIL_SMTP_URL: server.url,
      MAIL_BOUNCE_DOMAIN: 'b.pay.example',
      ...{ MAIL_DKIM_KEY: PEM, MAIL_DKIM_SELECTOR: 'mail2026' },
    };
    const { json } = await check(settings, '--json');
    assert.deepEqual(
      json().records.map(({ purpose, state, found }: Record<string, unknown>) => [
        purpose,
        state,
        (found as string[]).length,
      ]),
      [
        ['SPF', 'PUBLISHED', 1],
        ['SPF', 'OTHER', 2],
        ['DKIM', 'OTHER', 1],
        ['DMARC', 'MISSING', 0],
        ['MX', 'PUBLISHED', 1],
      ],
    );
    const { stdout } = await check(settings);
    assert.match(stdout, /b\.pay\.example\. IN MX\n.*\n {2}The DNS has:\n {4}mx\.pay\.example/);
    assert.match(
      stdout,
      /_dmarc[^\n]*\n[^\n]*\n {2}The DNS has no such record: publish the line\./,
    );
    zone['TXT mail2026._domainkey.pay.example'] = [`v=DKIM1; k=rsa; p=${PUBLIC}`];
    assert.equal((await check(settings, '--json')).json().records[2].state, 'PUBLISHED');
  });

  const answers = (given: Record<string, string>): SmtpBehaviour => ({ answers: given });
  for (const [what, behaviour, sentence] of [
    [
      'the password is wrong',
      answers({ EHLO: WITH_PASSWORD, AUTH: '535 no' }),
      /refuses the user or the password: correct MAIL_SMTP_URL\. \(EAUTH 535\)/,
    ],
    [
      'the server refuses this machine',
      answers({ EHLO: '554 go away', HELO: '554 go away' }),
      /refuses this service: its operator has to permit the address of this machine/,
    ],
  ] as const) {
    it(`says who corrects it where ${what}`, async () => {
      server.behave(behaviour);
      const { exitCode, stdout } = await check({ MAIL_SMTP_URL: withUser() });
      assert.equal(exitCode, 1);
      assert.match(stdout, sentence);
    });
  }

  it('needs a mail server', async () => {
    const { exitCode, stderr } = await check({ MAIL_FROM: '' });
    assert.equal(exitCode, 1);
    assert.match(stderr, /MAIL_SMTP_URL is not set: the service sends no e-mail/);
  });
});
