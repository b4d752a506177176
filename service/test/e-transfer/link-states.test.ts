import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RefusalReasonCode, STATUS_REASONS } from '#payment-requests/model/statuses.ts';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const REFUSALS = Object.keys(STATUS_REASONS).filter(
  (code) => code !== 'LINK_EXPIRED' && code !== 'CANCELLED_BY_MERCHANT',
) as RefusalReasonCode[];

let network: FakeNetwork;
let production: Production;

before(async () => {
  network = createFakeNetwork();
  production = await startProduction({ makeNetwork: network.make });
});
after(() => production.stop());

type Reach = (id: string) => Promise<unknown>;

const report = (id: string, outcome: Parameters<typeof network.listener.report>[0]['outcome']) =>
  network.listener.report({ paymentRequestId: id, outcome, isRevocable: false });

/** How each state is reached, and what its page says of the money. */
const STATES: readonly {
  readonly name: string;
  readonly reach: Reach;
  readonly query?: string;
  readonly title: Readonly<Record<'en' | 'fr', string>>;
  readonly money: Readonly<Record<'en' | 'fr', RegExp>>;
}[] = [
  {
    name: 'paid',
    reach: (id) => report(id, success({ networkReference: `REF ${id}` })),
    title: { en: 'This request has been paid', fr: 'Cette demande a été payée' },
    money: {
      en: /Nothing was taken in this browser\./,
      fr: /Rien n’a été prélevé dans ce navigateur\./,
    },
  },
  {
    name: 'paid late',
    reach: async (id) => {
      await production.cancel(id);
      await report(id, success({ networkReference: `REF ${id}` }));
    },
    title: { en: 'This request has been paid', fr: 'Cette demande a été payée' },
    money: {
      en: /Nothing was taken in this browser\./,
      fr: /Rien n’a été prélevé dans ce navigateur\./,
    },
  },
  {
    name: 'in progress',
    reach: (id) => report(id, { state: 'ACCEPTED' }),
    title: {
      en: 'This request is being paid',
      fr: 'Cette demande est en train d’être payée',
    },
    money: {
      en: /Nothing was taken in this browser/,
      fr: /Rien n’a été prélevé dans ce navigateur/,
    },
  },
  {
    name: 'cancelled',
    reach: (id) => production.cancel(id),
    title: {
      en: 'This payment request was cancelled',
      fr: 'Cette demande de paiement a été annulée',
    },
    money: { en: /No money was taken/, fr: /Aucun argent n’a été prélevé/ },
  },
  {
    name: 'awaited after the payer came back',
    reach: async () => {},
    query: '?returned=1',
    title: {
      en: 'We’re checking your payment',
      fr: 'Nous vérifions votre paiement',
    },
    money: { en: /No money has arrived so far/, fr: /Aucun argent n’est arrivé jusqu’à présent/ },
  },
  ...REFUSALS.map((reason) => ({
    name: `failed for ${reason}`,
    reach: (id: string) => report(id, { state: 'REFUSED' as const, reason }),
    title:
      reason === 'PAYER_DECLINED'
        ? { en: 'This request was declined', fr: 'Cette demande a été refusée' }
        : { en: 'The payment did not go through', fr: 'Le paiement n’a pas abouti' },
    money: { en: /No money was taken/, fr: /Aucun argent n’a été prélevé/ },
  })),
];

describe('a link whose payment request is', () => {
  for (const { name, reach, query = '', title, money } of STATES) {
    it(`${name}: says so in both languages, with the reference`, async () => {
      const { id, shortCode, paymentLink } = await production.createLink();
      await reach(id);
      for (const language of ['en', 'fr'] as const) {
        const page = await createPayer(production.service).open(paymentLink + query, {
          'accept-language': language,
        });
        assert.equal(page.status, 200);
        assertPayerPage(page, language);
        assert.equal(page.title, title[language]);
        assert.match(page.text, money[language]);
        assert.match(page.text, new RegExp(`(Reference|Référence) ${shortCode}`));
        // This browser has not confirmed.
        assert.doesNotMatch(page.text, /Other Bank|REF /);
        assert.match(page.text, /Harbour Books/);
        assert.doesNotMatch(page.html, /Ada Lovelace|ada@example\.com/);
      }
    });
  }

  it('expired: says so, from the very instant on', async () => {
    const expiryDateTime = new Date(production.service.clock.now().getTime() + 300_000);
    const { paymentLink } = await production.createLink({ expiryDateTime });
    // Opening the link applies an expiry that no timer has written yet.
    production.service.clock.advance(300_000);
    for (const [language, title, until] of [
      [
        'en',
        'This payment link has expired',
        'The link was good until March 1, 2026 at 12:05 p.m. UTC',
      ],
      ['fr', 'Ce lien de paiement a expiré', 'jusqu’au 1 mars 2026 à 12 h 05 UTC'],
    ] as const) {
      const page = await createPayer(production.service).open(`${paymentLink}?lang=${language}`);
      assertPayerPage(page, language);
      assert.equal(page.title, title);
      assert.ok(page.text.includes(until), page.text);
    }
  });

  it('for a suspended merchant: cannot be paid, and says so', async () => {
    const { id, paymentLink } = await production.createLink();
    const { sql } = production.service.database;
    await sql("UPDATE merchants SET status = 'SUSPENDED', suspended_at = now()");
    try {
      const page = await createPayer(production.service).open(paymentLink);
      assertPayerPage(page);
      assert.equal(page.title, 'Harbour Books can’t take payments right now');
      assert.match(page.text, /No money was taken/);
      // The link can be paid once the merchant is resumed.
      assert.ok(page.html.includes(`href="${new URL(paymentLink).pathname}">Try again</a>`));
      assert.ok(!network.requests.has(id));
    } finally {
      await sql("UPDATE merchants SET status = 'ACTIVE', suspended_at = NULL");
    }
  });

  it('not there: is 404, for people', async () => {
    for (const code of ['Unknown000000000', 'short', '%00', 'live', '-'.repeat(300)]) {
      const page = await createPayer(production.service).open(`/pay/${code}`);
      assert.equal(page.status, 404);
      assertPayerPage(page);
      assert.equal(page.title, 'We can’t find this payment link');
    }
  });
});

describe('the language of a link', () => {
  it('is the one asked for, then the payer’s, then the browser’s, and is remembered', async () => {
    const { id, paymentLink } = await production.createLink({
      payer: { name: 'A', email: 'a@b.ca', preferredLanguage: 'fr' },
    });
    await production.cancel(id);
    const payer = createPayer(production.service);
    const asFrench = await payer.open(paymentLink, { 'accept-language': 'en' });
    assert.equal(asFrench.headers.get('content-language'), 'fr');
    const asked = await payer.open(`${paymentLink}?lang=en`);
    assert.equal(asked.headers.get('content-language'), 'en');
    assert.match(
      asked.headers.get('set-cookie') ?? '',
      /^__Host-lang=en; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const again = await payer.open(paymentLink, { 'accept-language': 'fr' });
    assert.equal(again.headers.get('content-language'), 'en');
  });

  it('keeps a payer who came back where they are', async () => {
    const { paymentLink } = await production.createLink();
    const page = await createPayer(production.service).open(`${paymentLink}?returned=1`);
    assert.match(page.html, /<a href="\?returned&#61;1&#38;lang=fr" lang="fr"/);
  });
});

describe('a text that a merchant wrote', () => {
  it('is text on every page, and turns no direction', async () => {
    const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;{x}<b>`;
    const simulated = await startProduction({ merchantName: hostile.slice(0, 80) });
    try {
      const { id, paymentLink } = await simulated.createLink({
        displayMessage: `${hostile} \u202Egnp.00.1`,
        invoiceNumber: '"><svg onload=alert(1)>\u2066\u061c\u200f',
        payer: { name: 'Eve \u2067', email: 'eve@example.ca' },
      });
      const payer = createPayer(simulated.service);
      const choose = await payer.open(paymentLink);
      const confirm = await payer.signIn(paymentLink, 'approve');
      const paid = await payer.send(confirm, { decision: 'confirm' });
      assert.equal((await simulated.read(id)).status, 'PAID');
      for (const page of [choose, confirm, paid]) {
        assert.doesNotMatch(page.html, /<script>alert|<img src=x|<svg onload|<b>/);
        assert.doesNotMatch(page.html, /\p{Bidi_Control}/u);
        assertPayerPage(page);
      }
      assert.ok(confirm.text.includes('<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'));
      assert.ok(paid.text.includes('"><svg onload=alert(1)>'));
    } finally {
      await simulated.stop();
    }
  });
});
