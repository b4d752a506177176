import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PAGE_STYLE } from '#http/pages/style.ts';
import { contrast, findWeakContrast, PAGE_BACKGROUNDS } from '#merchants/profile/contrast.ts';
import { runCli } from '../commands/run-cli.ts';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import { makePng, pngChunk } from '../support/make-png.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const ORIGIN = 'https://shop.example';
const RETURN_URL = `${ORIGIN}/orders/7?from=pay&x=%22#top`;

let production: Production;
let folder: string;
let logo: string;

before(async () => {
  production = await startProduction({ merchantName: 'Harbour Books Ltd.' });
  folder = await mkdtemp(join(tmpdir(), 'profile-'));
  logo = join(folder, 'logo.png');
  await writeFile(logo, makePng(96, 48, [pngChunk('tEXt', Buffer.from('a comment'))]));
  const { merchantId } = production.merchant;
  const args = ['merchant', 'set-return-origins', '--merchant', merchantId, '--add', ORIGIN];
  assert.equal((await runCli(args, production.service.env)).exitCode, 0);
});
after(async () => {
  await production.stop();
  await rm(folder, { recursive: true });
});

function setProfile(...options: string[]) {
  const { merchantId } = production.merchant;
  const args = ['merchant', 'set-profile', '--merchant', merchantId, '--json', ...options];
  return runCli(args, production.service.env);
}

const WHOLE = {
  displayName: 'Harbour',
  supportEmail: 'help@shop.example',
  supportPhone: '+1 (416) 555-0199',
  website: 'https://shop.example/help',
  accentColour: '#2f7d4f',
  timeZone: 'America/Toronto',
};

async function setWholeProfile() {
  const ran = await setProfile(
    ...['--display-name', ` ${WHOLE.displayName} `, '--support-email', WHOLE.supportEmail],
    ...['--support-phone', WHOLE.supportPhone, '--website', WHOLE.website],
    ...['--accent-colour', '#2F7D4F', '--logo', logo, '--time-zone', 'america/toronto'],
  );
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json();
}

async function auditedChanges() {
  const { sql } = production.service.database;
  return sql<{ actor: string; details: Record<string, unknown> }>(
    "SELECT actor, details FROM audit_log WHERE action = 'MERCHANT_PROFILE_CHANGED' ORDER BY id",
  );
}

describe('payreq merchant set-profile', () => {
  it('sets and prints what payers see, once in the audit log', async () => {
    const profile = await setWholeProfile();
    const { merchantId } = production.merchant;
    const { logoHash, ...rest } = profile;
    assert.deepEqual(rest, { merchantId, name: 'Harbour Books Ltd.', ...WHOLE });
    assert.match(logoHash, /^[0-9a-f]{64}$/);
    assert.deepEqual(await setWholeProfile(), profile);
    assert.deepEqual((await setProfile()).json(), profile, 'without options it only prints');
    const changes = await auditedChanges();
    assert.equal(changes.length, 1);
    const before = Object.fromEntries(
      [...Object.keys(WHOLE), 'logoHash'].map((key) => [key, null]),
    );
    assert.deepEqual(changes[0]?.details, { ...WHOLE, logoHash, before });
  });

  it('removes values, and a logo that no merchant has any more', async () => {
    const { logoHash } = await setWholeProfile();
    const path = `/merchant-logos/${logoHash}.png`;
    const payer = createPayer(production.service);
    assert.equal((await payer.request(path)).status, 200);
    const ran = await setProfile('--remove', 'logo', '--remove', 'support-phone');
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.deepEqual([ran.json().logoHash, ran.json().supportPhone], [null, null]);
    assert.equal(ran.json().supportEmail, WHOLE.supportEmail);
    assert.equal((await payer.request(path)).status, 404);
    assert.deepEqual((await auditedChanges()).at(-1)?.details, {
      logoHash: null,
      supportPhone: null,
      before: { logoHash, supportPhone: WHOLE.supportPhone },
    });
  });

  for (const [options, message] of [
    [['--display-name', ' '], /--display-name: give 1 to 100 characters/],
    [['--display-name', 'x'.repeat(101)], /--display-name: give 1 to 100 characters/],
    [['--display-name', 'Harbour \u202eskooB'], /--display-name: control characters/],
    [['--support-email', 'help'], /--support-email: give an e-mail address/],
    [['--support-email', 'a@b.ca?bcc=x@y.ca'], /--support-email/],
    [['--support-phone', '555'], /--support-phone: give a telephone number/],
    [['--support-phone', '+1 416 555 CALL'], /--support-phone/],
    [['--website', 'http://shop.example'], /--website: give an https:\/\/ URL/],
    [['--website', 'javascript:alert(1)'], /--website/],
    [['--website', 'https://shop.example@evil.example'], /--website/],
    [['--accent-colour', 'green'], /--accent-colour: give a colour as #rrggbb/],
    [['--accent-colour', '#10151c'], /contrast of 1:1 on the dark pages; the least is 3:1/],
    [['--accent-colour', '#ffe000'], /contrast of 1\.\d:1 on the light pages.*#[0-9a-f]{6} is a/],
    [['--time-zone', 'Mars/Base'], /--time-zone: give an IANA time zone .* not "Mars\/Base"/],
    [['--time-zone', '+05:00'], /--time-zone: give an IANA time zone/],
    [['--remove', 'name'], /--remove: "name" is none of display-name, support-email/],
    [
      ['--remove', 'website', '--website', 'https://a.ca'],
      /--website and --remove website exclude/,
    ],
    [['--logo', '/no/such/file.png'], /--logo: the file "\/no\/such\/file\.png" cannot be read/],
    [['--logo', '/'], /--logo: the file "\/" cannot be read/],
    [['--logo', import.meta.filename], /--logo: the file is no PNG/],
  ] as const) {
    it(`refuses ${options.join(' ')} with a sentence that names the option`, async () => {
      const before = (await setProfile()).json();
      const ran = await setProfile(...options);
      assert.equal(ran.exitCode, 1);
      assert.match(ran.stderr, message);
      assert.deepEqual((await setProfile()).json(), before);
    });
  }

  it('refuses a file above 32 kB, and an unknown merchant', async () => {
    const large = join(folder, 'large.png');
    await writeFile(large, Buffer.concat([makePng(), Buffer.alloc(32 * 1_024)]));
    assert.match(
      (await setProfile('--logo', large)).stderr,
      /--logo: the file has more than 32 kB/,
    );
    const args = ['merchant', 'set-profile', '--merchant', 'mer_none'];
    assert.match((await runCli(args, production.service.env)).stderr, /no merchant "mer_none"/);
  });
});

describe('a long name', () => {
  it('is whole in the sentences of payers’ pages', async () => {
    const displayName = 'Harbour, the bookseller with the long name at the old harbour';
    await setProfile('--display-name', displayName);
    const { id, paymentLink } = await production.createLink();
    await production.cancel(id);
    const { html } = await createPayer(production.service).open(paymentLink);
    assert.ok(html.includes(`${displayName} no longer asks for it.`));
  });
});

describe('an accent colour', () => {
  it('is seen on the backgrounds that the pages have', () => {
    for (const colour of Object.values(PAGE_BACKGROUNDS).flat()) {
      assert.match(PAGE_STYLE, new RegExp(`--(page|card): ${colour};`));
    }
  });

  it('that is refused comes with a shade that passes', () => {
    for (const colour of ['#000000', '#1d3f8f', '#ffffff', '#ffe000', '#ff0000', '#00ff00']) {
      const weak = findWeakContrast(colour);
      if (weak) assert.equal(findWeakContrast(weak.suggestion), null, colour);
    }
    assert.equal(findWeakContrast('#000000')?.scheme, 'dark');
    assert.equal(findWeakContrast('#ffffff')?.scheme, 'light');
    assert.equal(Math.round(contrast('#000000', '#ffffff')), 21);
  });
});

describe('a logo', () => {
  it('is served as the image that was written, for ever, and can do nothing', async () => {
    const { logoHash } = await setWholeProfile();
    const answer = await createPayer(production.service).request(`/merchant-logos/${logoHash}.png`);
    assert.equal(answer.status, 200);
    const { headers } = answer;
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const png = Buffer.from(await answer.arrayBuffer());
    assert.equal(createHash('sha256').update(png).digest('hex'), logoHash);
    assert.ok(!png.includes('a comment'));
  });

  it('is 404 under every other address', async () => {
    const payer = createPayer(production.service);
    for (const name of ['0'.repeat(64), 'x', "'--", '%00', `${'0'.repeat(64)}.jpg`]) {
      assert.equal((await payer.request(`/merchant-logos/${name}.png`)).status, 404, name);
    }
  });
});

describe('the pages of a merchant with a profile', () => {
  it('show logo and both names from the first page to the last', async () => {
    const { logoHash } = await setWholeProfile();
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const choose = await payer.open(paymentLink);
    assert.equal(choose.title, 'Pay $12.34 to Harbour');
    const confirm = await payer.signIn(paymentLink, 'approve');
    const paid = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(paid.title, 'You paid $12.34 to Harbour');
    for (const page of [choose, confirm, paid]) {
      assertPayerPage(page);
      assert.match(
        page.html,
        new RegExp(`<img src="[^"]*/merchant-logos/${logoHash}\\.png" alt="">`),
      );
      assert.match(page.text, /Registered as\s+Harbour Books Ltd\./);
      assert.match(page.html, /fill="#2f7d4f"/);
    }
    assert.match(paid.html, /href="mailto:help@shop\.example"/);
    assert.match(paid.html, /href="tel:\+14165550199"/);
    assert.match(paid.html, /href="https:\/\/shop\.example\/help"/);
    assert.match(paid.text, /I did not order this Tell Harbour that you did not order this/);
  });

  it('let an e-mail address add no recipient and no text to the mail', async () => {
    await setProfile('--support-email', 'help?bcc=x#y@shop.example');
    const { id, paymentLink } = await production.createLink();
    await production.cancel(id);
    const { html } = await createPayer(production.service).open(paymentLink);
    assert.match(html, /href="mailto:help%3Fbcc%3Dx%23y@shop\.example"/);
  });

  it('name the contact on every final page, and change nothing by it', async () => {
    await setWholeProfile();
    const { id, paymentLink } = await production.createLink();
    await production.cancel(id);
    const page = await createPayer(production.service).open(paymentLink);
    assert.match(page.text, /Contact Harbour, and give the reference on this page/);
    assert.match(page.text, /I did not order this Then don’t pay/);
    assert.doesNotMatch(page.html, /<form/);
  });

  it('name no contact that is not known', async () => {
    const options = Object.values(['display-name', 'support-email', 'support-phone', 'website']);
    await setProfile(...options.flatMap((each) => ['--remove', each]));
    const { id, paymentLink } = await production.createLink();
    await production.cancel(id);
    const page = await createPayer(production.service).open(paymentLink);
    assert.match(page.text, /Contact Harbour Books Ltd\. in a way that you already know/);
    assert.doesNotMatch(page.html, /mailto:|tel:/);
  });
});

describe('the way back', () => {
  const linkOf = (html: string, label: RegExp) =>
    [...html.matchAll(/<a ([^>]*)>([^<]*)<\/a>/g)].find(([, , text = '']) => label.test(text))?.[1];

  const decode = (text = '') => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));

  it('is a plain link, as the merchant wrote it, on every page that ends the journey', async () => {
    const endings: Record<string, (link: { id: string; paymentLink: string }) => Promise<string>> =
      {
        paid: async ({ paymentLink }) => {
          const payer = createPayer(production.service);
          const confirm = await payer.signIn(paymentLink, 'approve');
          return (await payer.send(confirm, { decision: 'confirm' })).html;
        },
        declined: async ({ paymentLink }) => {
          const payer = createPayer(production.service);
          const confirm = await payer.signIn(paymentLink, 'approve');
          return (await payer.send(confirm, { decision: 'decline' })).html;
        },
        cancelled: async ({ id, paymentLink }) => {
          await production.cancel(id);
          return (await createPayer(production.service).open(paymentLink)).html;
        },
        awaited: async ({ paymentLink }) =>
          (await createPayer(production.service).open(`${paymentLink}?returned=1`)).html,
      };
    for (const [name, reach] of Object.entries(endings)) {
      const html = await reach(await production.createLink({ returnUrl: RETURN_URL }));
      const link = linkOf(html, /^Back to Harbour/);
      assert.match(decode(link), /rel="noreferrer"/, name);
      assert.ok(decode(link).includes(`href="${RETURN_URL}"`), `${name}: ${link}`);
      assert.doesNotMatch(html, /You can close this window/, name);
    }
  });

  it('leads out of the choose page without paying, and changes no status', async () => {
    const { id, paymentLink } = await production.createLink({ returnUrl: RETURN_URL });
    const payer = createPayer(production.service);
    const choose = await payer.open(paymentLink);
    const link = linkOf(choose.html, /^Go back without paying$/);
    assert.ok(decode(link).includes(`href="${RETURN_URL}"`), link);
    assert.equal((await production.read(id)).status, 'CREATED');
    const body = { returnUrl: `${ORIGIN}/elsewhere` };
    await production.call('PATCH', `/v1/payment-requests/${id}`, { body });
    assert.match((await payer.open(paymentLink)).html, /href="https:\/\/shop\.example\/elsewhere"/);
  });

  it('is missing where the merchant gave none: the window can be closed', async () => {
    const { id, paymentLink } = await production.createLink();
    const choose = await createPayer(production.service).open(paymentLink);
    assert.doesNotMatch(choose.text, /Go back without paying/);
    await production.cancel(id);
    const page = await createPayer(production.service).open(paymentLink);
    assert.match(page.text, /You can close this window\./);
    assert.doesNotMatch(page.text, /Back to/);
  });
});
