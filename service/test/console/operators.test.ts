import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { eventually } from '../support/eventually.ts';
import { makePng } from '../support/make-png.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

describe('the operators’ pages of the console', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let olga: ConsoleClient;
  let path: string;
  before(async () => {
    service = await startTestService();
    merchant = await service.createMerchant({ name: 'Harbour Books' });
    path = `/console/operator/merchants/${merchant.merchantId}`;
    olga = await signIn(service, { role: 'operator', name: 'Olga' });
  });
  after(() => service.stop());

  const hidden = (html: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
  const details = async (action: string, merchantId = merchant.merchantId) => {
    const rows = await service.database.sql<{ details: Record<string, unknown> }>(
      'SELECT details FROM audit_log WHERE merchant_id = $1 AND action = $2 ORDER BY id DESC',
      [merchantId, action],
    );
    return rows[0]?.details;
  };
  const list = () => service.call('GET', '/v1/payment-requests', { headers: merchant.headers });

  it('find a merchant by a part of its name, and tell when none matches', async () => {
    const found = await olga.get('/console/operator/merchants?q=harb');
    assert.match(found.html, /Harbour Books/);
    const { sql } = service.database;
    await sql(
      `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
         signing_secret_encrypted)
       SELECT 'elm' || 60 - n, CASE WHEN n > 56 THEN 'Elm' ELSE 'elm ' || n END, 'x', '', ''
       FROM generate_series(10, 60) n`,
    );
    const names: string[] = [];
    let next: string | undefined = '?q=elm';
    while (next && names.length < 60) {
      const { html } = await olga.get(`/console/operator/merchants${next}`);
      assert.doesNotMatch(html, /elm50</);
      names.push(...[...html.matchAll(/>(elm[^<]*)<\/a>/gi)].map(([, name]) => `${name}`));
      const cursor = /rel="next" href="[^"]*cursor=([\w-]+)"/.exec(html)?.[1];
      next = cursor && `?q=elm&cursor=${cursor}`;
    }
    const numbers = Array.from({ length: 47 }, (_, n) => `elm ${n + 10}`);
    assert.deepEqual(names, ['Elm', 'Elm', 'Elm', 'Elm', ...numbers]);
    await sql("DELETE FROM merchants WHERE id LIKE 'elm%'");
    const none = await olga.get('/console/operator/merchants?q=zzz');
    assert.match(none.html, /No merchant matches/);
    assert.equal((await olga.get(`${path}x`)).status, 404);
  });

  it('onboard a merchant once for each form, and show its credentials once', async () => {
    const form = (await olga.get('/console/operator/merchants/new')).html;
    const fields = {
      id: hidden(form, 'id'),
      name: 'Maple Bikes',
      return: 'https://shop.example\nhttps://m.shop.example',
      supportEmail: 'help@shop.example',
      accentColour: '#2F7D4F',
      logo: Buffer.from(makePng(8, 8)).toString('base64'),
    };
    const made = await olga.post('/console/operator/merchants/new', fields);
    assert.equal(made.status, 200);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    for (const name of ['API_PASSWORD', 'API_KEY', 'LISTENER_PASSWORD', 'SIGNING_SECRET']) {
      assert.match(made.html, new RegExp(`<dt>${name}</dt><dd><[^>]+><code[^>]*>[^<]{20,}`));
    }
    const copied = [
      ...made.html.matchAll(/<code id="(\w+)">[^<]+<\/code>\s*<button [^>]*data-copy="\1"/g),
    ];
    assert.equal(copied.length, 8, 'each value has its own button to copy');
    assert.match(made.html, /2 of 4 done/);
    assert.match(made.html, /Done<\/span> <span>Return origin/);
    assert.match(made.html, /Done<\/span> <span>Logo/);
    assert.match(made.html, /To do<\/span> <span>First test payment/);
    assert.doesNotMatch(made.html, /Bank account/, 'this network has no accounts');
    const page = await olga.get(`/console/operator/merchants/${fields.id}`);
    assert.match(page.html, /help@shop\.example/);
    assert.match(page.html, /https:\/\/m\.shop\.example/);
    assert.match(page.html, /#2f7d4f/);
    const [, logo = ''] = /<img class="logo" src="([^"]+)"/.exec(page.html) ?? [];
    assert.equal((await fetch(service.url + logo)).headers.get('content-type'), 'image/png');
    const again = await olga.post('/console/operator/merchants/new', fields);
    assert.equal(again.status, 422);
    assert.match(again.html, /has registered the merchant &#34;Maple Bikes&#34; already/);
    const { actor } = (
      await service.database.sql<{ actor: string }>(
        `SELECT actor FROM audit_log WHERE merchant_id = $1 AND action = 'MERCHANT_CREATED'`,
        [fields.id],
      )
    )[0] ?? { actor: '' };
    assert.equal(actor, 'console (Olga, by link)');
  });

  it('say which values may lack where others are needed, in the page’s language', async () => {
    const { html } = await olga.get('/console/operator/merchants/new');
    assert.match(html, /<label for="website">Website <span class="optional">\(optional\)</);
    assert.match(html, /<label for="name">Name<\/label>/);
    const french = await olga.get('/console/operator/merchants/new?lang=fr');
    assert.match(french.html, /Site web <span class="optional">\(facultatif\)</);
    assert.match(french.html, /<label [^>]*for="logo" hidden>Choisir un fichier…</);
    assert.doesNotMatch((await olga.get(`${path}/profile?lang=en`)).html, /class="optional"/);
  });

  it('say why a value is refused in the language of the page', async () => {
    const marie = await signIn(service, { role: 'operator', name: 'Marie' });
    const account = { holder: 'Ada', iban: 'DE00' };
    for (const [form, values, reason] of [
      ['profile', { supportPhone: 'x' }, 'Donnez un numéro de téléphone'],
      [
        'profile',
        { accentColour: '#ffffff' },
        'un contraste égal à 1(.\\d+)? pour 1 sur les pages claires',
      ],
      ['messages', { reminders: '0' }, 'Donnez au plus 3 nombres d’heures'],
      ['origins/webhook', { webhook: 'x' }, '« x » n’est pas une origine d’adresses de webhook'],
      ['notices', { email: 'x' }, 'Donnez une seule adresse e-mail'],
      ['account', account, 'Ce n’est pas un IBAN : il est trop court'],
      [
        'account',
        { ...account, iban: '', scheme: 'CA' },
        'la banque a cette forme : l’institution',
      ],
    ] as const) {
      const { status, html } = await marie.post(`${path}/${form}?lang=fr`, values);
      assert.equal(status, 422, form);
      assert.match(html.replaceAll('\u00a0', ' '), new RegExp(reason), form);
    }
    const missing = await marie.post(`${path}/account/close?lang=fr`, { version: '9' });
    assert.match(missing.html, /Le commerçant n’a pas la version 9 de son compte/);
  });

  it('show a refused form again with the reason at its field, and make no merchant', async () => {
    const before = await service.database.sql('SELECT count(*) FROM merchants');
    const form = (await olga.get('/console/operator/merchants/new')).html;
    const answer = await olga.post('/console/operator/merchants/new', {
      id: hidden(form, 'id'),
      name: 'Late Shop',
      supportEmail: 'not an address',
    });
    assert.equal(answer.status, 422);
    assert.match(answer.html, /id="supportEmail-fault">Support email: give an e-mail address/);
    const marked = (html: string) => /role="alert">(Correct [^<]*)((?:<a.*?<\/a>,? ?)+)/.exec(html);
    const [, ...banner] = marked(answer.html) ?? [];
    assert.equal(
      banner.join(''),
      'Correct the marked field: <a href="#supportEmail">Support e-mail</a>',
    );
    const wrong = { name: ' ', webhookUrl: 'x', return: 'y', supportEmail: 'z' };
    const all = await olga.post('/console/operator/merchants/new', {
      ...{ id: hidden(form, 'id'), ...wrong },
    });
    for (const field of Object.keys(wrong)) {
      assert.ok(marked(all.html)?.[2]?.includes(`href="#${field}"`), field);
      assert.match(all.html, new RegExp(`id="${field}-fault"`), field);
    }
    for (const [field, value, reason] of [
      ['name', ' ', 'Give 1 to 100 printable characters.'],
      ['webhookUrl', 'http://shop.example', 'Give the address of a public server'],
      ['return', 'https://shop.example/way', '“https://shop.example/way” is not an origin'],
    ] as const) {
      const sent = { id: hidden(form, 'id'), name: 'Late Shop', [field]: value };
      const { html } = await olga.post('/console/operator/merchants/new', sent);
      assert.ok(html.includes(`id="${field}-fault">${reason}`), field);
    }
    const french = await olga.post('/console/operator/merchants/new?lang=fr', {
      ...{ id: hidden(form, 'id'), ...wrong },
    });
    for (const reason of ['Donnez de 1 à 100', 'Donnez l’adresse', '«\u00a0y\u00a0» n’est pas']) {
      assert.ok(french.html.includes(`-fault">${reason}`), reason);
    }
    await olga.get('/console?lang=en');
    assert.match(answer.html, /value="Late Shop"/);
    const badLogo = await olga.post('/console/operator/merchants/new', {
      id: hidden(form, 'id'),
      name: 'Late Shop',
      logo: Buffer.from('no image').toString('base64'),
    });
    assert.equal(badLogo.status, 422);
    assert.match(badLogo.html, /id="logo-fault">Logo: the file/);
    assert.deepEqual(await service.database.sql('SELECT count(*) FROM merchants'), before);
  });

  it('suspend and resume a merchant', async () => {
    assert.match((await olga.get(`${path}/suspend`)).html, /Suspend Harbour Books\?/);
    const suspended = await olga.post(`${path}/suspend`);
    assert.equal(suspended.location, `${path}?done=suspended`);
    await service.advance(5);
    assert.equal((await list()).status, 403);
    assert.equal((await olga.post(`${path}/resume`)).location, `${path}?done=resumed`);
    await service.advance(5);
    assert.equal((await list()).status, 401, 'its earlier tokens stay ended');
  });

  it('change limits, origins, notices and the profile, each with the value before', async () => {
    assert.equal((await olga.post(`${path}/limits`, { refundsPerDay: '12,50' })).status, 303);
    assert.deepEqual(await details('MERCHANT_LIMITS_CHANGED'), {
      refundsPerDayCents: 1_250,
      before: { refundsPerDayCents: 1_000_000 },
    });
    const wrong = await olga.post(`${path}/limits`, { refundsPerDay: 'much' });
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.html,
      /← Harbour Books<\/a><\/p><h1>Refunds in a day<\/h1>[\s\S]*value="much"/,
    );
    assert.match((await olga.get(`${path}/limits`)).html, /value="12\.50"/);
    assert.match(
      (await olga.get(path)).html,
      /E-mails to payers in an hour[\s\S]*?As this deployment/,
    );
    assert.equal((await olga.post(`${path}/limits/mails`, { mailsPerHour: '40' })).status, 303);
    assert.match((await olga.get(`${path}/limits/mails`)).html, /value="40"/);
    assert.equal((await olga.post(`${path}/limits/mails`, { mailsPerHour: '-1' })).status, 422);
    assert.equal((await olga.post(`${path}/limits/sms`, { smsPerHour: '' })).status, 303);
    await olga.post(`${path}/origins/return`, { return: 'https://a.example https://b.example' });
    await olga.post(`${path}/origins/return`, { return: 'https://b.example' });
    assert.deepEqual(await details('RETURN_ORIGINS_CHANGED'), {
      added: [],
      removed: ['https://a.example'],
      before: ['https://a.example', 'https://b.example'],
    });
    const nobody = await olga.post(`${path}/notices`, { email: 'nobody' });
    assert.equal(nobody.status, 422);
    assert.match(nobody.html, /id="email-fault">Email must be one e-mail address/);
    const logo = Buffer.from(makePng(8, 8)).toString('base64');
    const saved = await olga.post(`${path}/profile`, { displayName: 'Harbour', logo });
    assert.equal(saved.status, 303);
    const { before, logoHash } = (await details('MERCHANT_PROFILE_CHANGED')) ?? {};
    assert.deepEqual(before, { displayName: null, logoHash: null });
    assert.match(String(logoHash), /^[0-9a-f]{64}$/);
    const { html } = await olga.get(`${path}/profile`);
    const [, preview = ''] = /<div class="merchant">(.*?)<\/div>/s.exec(html) ?? [];
    assert.match(preview, /<img alt="" src="\/[^"]+"\s*>.*<bdi>Harbour<\/bdi>/s);
    assert.match(preview, /Registered as\s+<bdi>Harbour Books<\/bdi>/);
    assert.equal(
      (await olga.post(`${path}/profile`, { displayName: '', logoRemove: 'yes' })).status,
      303,
    );
    assert.equal((await details('MERCHANT_PROFILE_CHANGED'))?.logoHash, null);
  });

  it('have an edit link for each setting, for those who may change it', async () => {
    const readers = await signIn(service, { role: 'operator-readonly' });
    const edits = async (client: ConsoleClient) =>
      [...(await client.get(path)).html.matchAll(/href="([^"]+)"\s+aria-label="Edit: /g)].map(
        ([, href = '']) => href.replace(`${path}/`, ''),
      );
    const limits = ['limits', 'limits/mails', 'limits/sms'];
    const values = [...limits, 'origins/return', 'origins/webhook', 'notices'];
    const all = [...values, 'profile', 'messages'];
    assert.deepEqual(await edits(olga), all);
    for (const each of all) assert.equal((await olga.get(`${path}/${each}`)).status, 200);
    assert.deepEqual(await edits(readers), []);
  });

  it('set the account by a form that is sent twice, once', async () => {
    const { html: form } = await olga.get(`${path}/account`);
    assert.match(form, /after a proof: <code>payreq bank etransfer-proof<\/code>\./);
    const act = hidden(form, 'act');
    const fields = { act, holder: 'Harbour Books', iban: 'DE89 3704 0044 0532 0130 00' };
    assert.equal((await olga.post(`${path}/account`, fields)).status, 303);
    assert.equal((await olga.post(`${path}/account`, fields)).status, 303);
    const versions = await service.database.sql('SELECT version FROM creditor_accounts');
    assert.deepEqual(versions, [{ version: 1 }]);
    const wrong = await olga.post(`${path}/account`, { ...fields, act: '', iban: 'DE00' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /IBAN is no IBAN/);
  });

  it('change what payers are sent, for later payment requests', async () => {
    const form = await olga.get(`${path}/messages`);
    assert.match(form.html, /name="quietHours" value="yes" checked/);
    const wrong = await olga.post(`${path}/messages`, { reminders: '0', templateId: '' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /different whole hours before the expiry[\s\S]*value="0"/);
    const fields = { reminders: '48, 24', receipt: 'yes', smsSender: 'Harbour', templateId: '' };
    const saved = await olga.post(`${path}/messages`, fields);
    assert.equal(saved.location, `${path}?done=messagesSaved`);
    const { before: _, ...after } = (await details('MERCHANT_MESSAGES_CHANGED')) ?? {};
    assert.deepEqual(after, {
      reminders: [48, 24],
      receipt: true,
      quietHours: false,
      smsSender: 'Harbour',
      templateId: null,
    });
    assert.match((await olga.get(path)).html, /48, 24/);
  });

  it('show health with the doctor’s last result, and how to get one', async () => {
    const first = await olga.get('/console/operator/health');
    assert.match(first.html, /<code>payreq doctor<\/code> has not run yet\. Run it/);
    await runCli(['doctor'], service.env);
    const { html } = await olga.get('/console/operator/health');
    assert.match(html, /For a new result, run <code>payreq doctor/);
    assert.match(html, /<strong>outbox<\/strong>:\s/);
    assert.match(html, /All migrations are applied; the last is 00\d\d-/);
    assert.match(html, /<summary>(\d+) of \1 background loops run as they should<\/summary>/);
    assert.match(html, /deliver-webhooks/);
    assert.match(html, /Signs/);
  });

  it('show what is due to payers, and why a mail server refuses the service', async () => {
    const well = await olga.get('/console/operator/health');
    assert.match(well.html, />E‑mail<\/th>[\s\S]*?Takes messages/);
    const shop = await service.createMerchant({ name: 'Corner Shop' });
    const made = await service.call('POST', '/v1/payment-requests', {
      headers: { ...shop.headers, 'idempotency-key': 'retried' },
      body: {
        ...{ amount: 10, type: 'ECOMM', deliveryMode: 'EMAIL' },
        payer: { name: 'Ada', email: 'ada@example.com' },
      },
    });
    assert.equal(made.status, 201, made.text);
    const { sql } = service.database;
    const sent = () => sql<{ id: string }>("SELECT id FROM messages WHERE status = 'SENT'");
    const [message] = await eventually(async () => {
      const found = await sent();
      return found.length > 0 ? found : undefined;
    }, 'the message');
    await sql(
      `UPDATE messages SET status = 'SCHEDULED', sent_at = NULL,
         next_attempt_at = service_now() + interval '1 minute',
         attempt_log = '[{"endDateTime": "2026-03-01T12:00:01Z", "outcome": "SMTP_451"}]'
       WHERE id = $1`,
      [message?.id],
    );
    const retried = await olga.get('/console/operator/health');
    const mail = />E‑mail<\/th>[\s\S]*?<\/tr>/.exec(retried.html)?.[0] ?? '';
    assert.match(mail, /badge warning[^>]*>Retrying · 1 message<\/span> <code>SMTP_451</);
    const messages = `/console/m/${shop.merchantId}/messages`;
    for (const page of [messages, `${messages}/${message?.id}`]) {
      const { html } = await olga.get(page);
      assert.match(html, /badge warning" data-status="SCHEDULED">Retrying</, page);
      assert.match(html, /Next attempt[\s\S]*in 1 minute/, page);
    }
    await service.database.sql(
      `UPDATE message_channels SET opened_at = service_now(), next_probe_at = service_now(),
         reason = 'EAUTH' WHERE channel = 'EMAIL'`,
    );
    const { html } = await olga.get('/console/operator/health');
    assert.match(html, /E‑mail: the server refuses the service \(EAUTH\)/);
    assert.match(html, /Refuses the service<\/span> <code>EAUTH<\/code>/);
  });

  it('show payment requests that stand still, and nothing else', async () => {
    const none = await olga.get('/console/operator/overdue');
    assert.match(none.html, /No payment request is overdue/);
  });
});

describe('templates of e-mails in the console', () => {
  let service: TestService;
  let ada: ConsoleClient;
  let olga: ConsoleClient;
  let path: string;
  const texts = {
    id: 'autumn',
    version: '0',
    language: 'fr',
    'REQUEST.subject': 'Bonjour {merchant}',
  };

  before(async () => {
    service = await startTestService();
    const { merchantId } = await service.createMerchant({ name: 'Harbour Books' });
    path = `/console/m/${merchantId}`;
    ada = await signIn(service, { role: 'administrator', merchantId });
    olga = await signIn(service, { role: 'operator' });
  });
  after(() => service.stop());

  it('are written a language at a time, and keep the other ones', async () => {
    assert.match((await ada.get(`${path}/templates`)).html, /There is no template yet/);
    const form = await ada.get(`${path}/templates/new?language=fr`);
    assert.match(form.html, /Empty: \{merchant\} vous demande/);
    const saved = await ada.post(`${path}/templates/save`, texts);
    const address = `${path}/template/autumn?language=fr`;
    assert.equal(saved.location, `${address}&done=templateSaved`);
    const english = { ...texts, version: '1', language: 'en', 'REQUEST.subject': 'Hello\r\nthere' };
    await ada.post(`${path}/templates/save`, english);
    assert.match((await ada.get(address)).html, /value="Bonjour \{merchant\}"/);
    assert.match((await ada.get(`${path}/template/autumn`)).html, /value="Hello there"/);
    assert.match((await olga.get(`${path}/templates`)).html, /autumn[\s\S]*en, fr/);
  });

  it('are refused with the fault at its field, in the language of the page', async () => {
    const wrong = { ...texts, id: 'winter', 'REMINDER.heading': '<b>{password}' };
    const refused = await ada.post(`${path}/templates/save`, wrong);
    assert.equal(refused.status, 422);
    assert.match(refused.html, /id="REMINDER\.heading-fault">HTML is not allowed/);
    assert.match(refused.html, /value="Bonjour \{merchant\}"/);
    const taken = await ada.post(`${path}/templates/save`, texts);
    assert.match(taken.html, /id="id-fault">There is a template with this id/);
    const old = await ada.post(`${path}/templates/save`, { ...texts, version: '1' });
    assert.match(old.html, /The template was changed meanwhile/);
  });

  it('have another address for answers only after an operator has set it', async () => {
    const replyTo = 'orders@shop.example';
    const own = { ...texts, version: '2', replyTo };
    const refused = await ada.post(`${path}/templates/save`, own);
    assert.match(refused.html, /id="replyTo-fault">Give the support address/);
    assert.equal((await olga.post(`${path}/templates/save`, own)).status, 303);
    const later = { ...own, version: '3', footer: 'Merci' };
    assert.equal((await ada.post(`${path}/templates/save`, later)).status, 303);
  });

  it('are previewed as typed, in a frame that runs and loads nothing', async () => {
    const typed = {
      ...texts,
      'REQUEST.heading': '<script>{amount}',
      kind: 'REQUEST',
      scheme: 'dark',
    };
    const { html, headers } = await ada.post(`${path}/templates/preview`, typed);
    assert.match(html, /<h1>&#60;script&#62;10,00/);
    assert.match(html, /<html lang="fr">[\s\S]*@media all/);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'/);
    assert.match(policy, /sandbox;.*frame-ancestors 'self'/);
    const stored = await ada.get(`${path}/templates/preview?id=autumn&language=fr&kind=RECEIPT`);
    assert.match(stored.html, /@media not all[\s\S]*Merci/);
    const page = await ada.get(`${path}/template/autumn`);
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-src 'self'/);
    assert.match(page.html, /<iframe class="mail" name="preview" sandbox /);
  });

  it('are archived, and taken back by a change', async () => {
    const archived = await ada.post(`${path}/templates/archive`, { id: 'autumn' });
    assert.equal(archived.location, `${path}/templates?done=templateArchived`);
    assert.match((await ada.get(`${path}/template/autumn`)).html, /The template is archived/);
    assert.equal((await ada.get(`${path}/template/summer`)).status, 404);
    const change = { ...texts, version: '4' };
    assert.equal((await ada.post(`${path}/templates/save`, change)).status, 303);
    assert.match((await ada.get(`${path}/templates`)).html, /In use/);
  });
});
