import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import PostalMime from 'postal-mime';
import { parseReport } from '#messages/bounces/parse-report.ts';
import { dnsRecordsOf } from '#messages/mail/check/dns-records.ts';
import { unpackPackages } from '../../support/debian-packages.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { type Postfix, type PostfixPackage, unpackPostfix } from '../../support/mail/postfix.ts';
import { linkBecomes } from '../../support/messages/link-becomes.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { createTestAuthority } from '../../support/webhooks/https-listener.ts';

const VERIFIER = fileURLToPath(new URL('./verify-dkim.py', import.meta.url));
const DKIM = {
  selector: 'mail2026',
  privateKey: generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey,
};
/** The addresses at the payer's server that are no mailbox, with its words at RCPT. */
const REFUSED = {
  'full@payer.example': '552 5.2.2 The mailbox is full',
  'rule@payer.example': '550 5.7.1 We take no mail from there',
  'later@payer.example': '451 4.7.1 Greylisted',
};

/** The service hands mails to a relay, which knows the payer's server: two of Debian's Postfix. */
describe('mails through Postfix', { timeout: 600_000 }, () => {
  let debian: PostfixPackage;
  let python: string;
  let relay: Postfix;
  let payers: Postfix;
  let service: TestService;
  let merchant: TestMerchant;
  let calls: PaymentRequestCalls;
  let bounces: string;

  before(async () => {
    debian = await unpackPostfix();
    python = mkdtempSync(join(tmpdir(), 'dkimpy-'));
    await unpackPackages(['python3-dkim'], python);
    const authority = await createTestAuthority();
    setDefaultCACertificates([...getCACertificates('default'), authority.caPem]);
    payers = await debian.start({
      hostname: 'mx.payer.example',
      settings: [
        'virtual_mailbox_domains = payer.example, bounces.example',
        'virtual_mailbox_maps = texthash:$tables/mailboxes',
        'smtpd_recipient_restrictions = check_recipient_access texthash:$tables/refused, permit_mynetworks, reject',
      ],
      tables: {
        mailboxes: { 'ada@payer.example': 'ada/', '@bounces.example': 'bounces/' },
        refused: REFUSED,
      },
      mailboxes: ['bounces'],
    });
    const bouncePort = await freePort();
    bounces = `smtp:[127.0.0.1]:${bouncePort}`;
    relay = await debian.start({
      hostname: 'relay.pay.example',
      tls: await authority.issue(),
      settings: [
        'smtpd_tls_security_level = encrypt',
        'smtpd_recipient_restrictions = check_recipient_access texthash:$tables/refused, permit_mynetworks, reject',
        `relayhost = [127.0.0.1]:${payers.port}`,
        'transport_maps = texthash:$tables/transport',
        // A day and five days, in a test's time.
        'delay_warning_time = 1s',
        'maximal_queue_lifetime = 8s',
      ],
      tables: {
        refused: { 'unknown@payer.example': '550 5.1.1 No such user' },
        transport: { 'bounces.example': bounces },
      },
    });
    service = await startTestService({
      environment: 'production',
      settings: {
        MAIL_SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
        MAIL_FROM: 'pay@pay.example',
        MAIL_DKIM_KEY: DKIM.privateKey,
        MAIL_DKIM_SELECTOR: DKIM.selector,
        MAIL_BOUNCE_DOMAIN: 'bounces.example',
        MAIL_BOUNCE_PORT: `${bouncePort}`,
        MAIL_BOUNCE_DIR: payers.mailbox('bounces'),
      },
    });
  });
  after(async () => {
    await service?.stop();
    await relay?.stop();
    await payers?.stop();
    debian?.remove();
    if (python) rmSync(python, { recursive: true, force: true });
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
    calls = paymentRequestCalls(service, merchant);
  });

  const link = (email: string, preferredLanguage = 'en', displayMessage = 'Two chairs') =>
    calls.create({
      ...{ deliveryMode: 'EMAIL', displayMessage },
      payer: { ...SMALLEST_BODY.payer, email, preferredLanguage },
    });
  const untilLinkIs = (id: string, status: string) => linkBecomes({ service, calls }, id, status);

  /** The outcomes of the attempts of a link, and of the reports about it. */
  async function outcomesOf(id: string): Promise<string[]> {
    const path = `/v1/payment-requests/${id}/messages`;
    const { json } = await service.call('GET', path, { headers: merchant.headers });
    return json.data[0].attemptLog.map(({ outcome }: { outcome: string }) => outcome);
  }
  const untilTold = (id: string, outcome: string) =>
    eventually(async () => {
      await service.advance(1);
      return (await outcomesOf(id)).includes(outcome);
    }, `${outcome}\n${relay.log()}`);

  /** The mail with a link, as it lies in the payer's mailbox. */
  const arrived = (paymentLink: string) =>
    eventually(async () => {
      for (const mail of payers.mailsIn('ada')) {
        const { text = '' } = await PostalMime.parse(mail);
        if (text.includes(paymentLink)) return mail;
      }
      return undefined;
    }, `the mail\n${relay.log()}\n${payers.log()}`);

  /** @returns what the program says of a mail, and the names of the signed fields */
  function verify(mail: string): readonly [isGenuine: boolean, fields: readonly string[]] {
    const sender = { from: 'pay@pay.example', bounceDomain: null, host: '127.0.0.1' };
    const records = dnsRecordsOf({ ...sender, isLoopback: true, dkim: DKIM });
    const { name = '', text = '' } = records.find(({ purpose }) => purpose === 'DKIM') ?? {};
    const said = execFileSync('python3', [VERIFIER, name, text ?? ''], {
      input: Buffer.from(mail, 'latin1'),
      env: { PYTHONPATH: join(python, 'root/usr/lib/python3/dist-packages'), PATH: '/usr/bin' },
      encoding: 'utf8',
    });
    const [isGenuine, ...fields] = said.trim().split(' ');
    return [isGenuine === 'True', fields];
  }

  for (const [preferredLanguage, displayMessage] of [
    ['en', 'Two chairs'],
    ['fr', `Une chaise 🪑 à l’été, ${'très '.repeat(30)}`],
    ['ja', '椅子'.repeat(60)],
  ] as const) {
    it(`arrive in ${preferredLanguage}, and another program verifies their signature`, async () => {
      const { json } = await link('ada@payer.example', preferredLanguage, displayMessage);
      await untilLinkIs(json.id, 'SENT');
      const mail = await arrived(json.paymentLink);
      const [isGenuine, fields] = verify(mail);
      assert.ok(isGenuine, mail);
      for (const field of ['from', 'to', 'subject', 'message-id', 'date', 'reply-to']) {
        if (new RegExp(`^${field}:`, 'im').test(mail)) assert.ok(fields.includes(field), field);
      }
      assert.equal(verify(mail.replace('Subject: ', 'Subject: No, '))[0], false);
      assert.match(
        mail,
        /^Received: from .*\n.*\n?.*by relay\.pay\.example \(Postfix\) with ESMTPS/m,
      );
    });
  }

  it('are refused without TLS', async () => {
    const socket = connect(relay.port, '127.0.0.1').setEncoding('utf8');
    const codes: string[] = [];
    const lines = ['EHLO service.pay.example', 'MAIL FROM:<pay@pay.example>'];
    for await (const text of socket) {
      if (!/^\d{3} /m.test(text)) continue;
      codes.push(/^\d{3} (?:[\d.]+)?/m.exec(text)?.[0] ?? '');
      const next = lines.shift();
      if (next === undefined) break;
      socket.write(`${next}\r\n`);
    }
    socket.destroy();
    assert.equal(codes.at(-1), '530 5.7.0');
  });

  it('to an address that the relay refuses end FAILED', async () => {
    const { json } = await link('unknown@payer.example');
    assert.equal((await untilLinkIs(json.id, 'FAILED')).linkMessage.reason, 'REFUSED_BY_SERVER');
    assert.deepEqual(await outcomesOf(json.id), ['EENVELOPE 550 5.1.1']);
  });

  it('to an address that the relay puts off arrive by the next attempt', async () => {
    relay.setTable('refused', { 'ada@payer.example': '451 4.7.1 Greylisted' });
    const { json } = await link('ada@payer.example');
    await untilTold(json.id, 'EENVELOPE 451 4.7.1');
    relay.setTable('refused', {});
    await service.advance(30);
    await untilLinkIs(json.id, 'SENT');
    await arrived(json.paymentLink);
  });

  for (const [email, what, told, next] of [
    ['gone@payer.example', 'does not exist', 'FAILED 5.1.1', 'SUPPRESSED'],
    ['full@payer.example', 'is full', 'FAILED 5.2.2', 'BOUNCED'],
    ['rule@payer.example', 'refuses by a rule', 'FAILED 5.7.1', 'BOUNCED'],
  ] as const) {
    it(`come back from a mailbox that ${what} as ${told}, and the next one is ${next}`, async () => {
      const { json } = await link(email);
      const { linkMessage } = await untilLinkIs(json.id, 'BOUNCED');
      assert.equal(linkMessage.reason, 'BOUNCED');
      assert.deepEqual(await outcomesOf(json.id), ['SENT', told]);
      await untilLinkIs((await link(email)).json.id, next);
    });
  }

  it('that are put off for days stay SENT, and both reports are noted', async () => {
    const { json } = await link('later@payer.example');
    await untilTold(json.id, 'DELAYED 4.7.1');
    await untilTold(json.id, 'FAILED 4.7.1');
    assert.equal((await calls.read(json.id)).json.linkMessage.status, 'SENT');
  });

  it('come back through a maildir, too, whose reports are then gone', async () => {
    relay.setTable('transport', {});
    relay.reload();
    const { json } = await link('gone@payer.example');
    const files = join(payers.mailbox('bounces'), 'new');
    await service.advance(1);
    const [report = ''] = await eventually(() => {
      const mails = payers.mailsIn('bounces');
      return mails.length > 0 && mails;
    }, 'the report');
    assert.deepEqual(parseReport(report), { action: 'failed', status: '5.1.1' });
    await untilLinkIs(json.id, 'BOUNCED');
    await eventually(() => readdirSync(files).length === 0, 'the end of the report');
    assert.deepEqual(await outcomesOf(json.id), ['SENT', 'FAILED 5.1.1']);
  });
});
