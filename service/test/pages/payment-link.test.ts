import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { PNG } from 'pngjs';
import { decodeQR } from 'qr/decode.js';
import { connectDatabase } from '#database/database.ts';
import { registerErrorHandler } from '#http/problems/error-handler.ts';
import { systemClock } from '#lib/clock.ts';
import { findOpenedLinks } from '#payment-requests/payer-link/find-link.ts';
import {
  type PaymentLinkRoutesDeps,
  registerPaymentLinkRoutes,
} from '#payment-requests/payer-link/routes.ts';
import { createTimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const BASE = 'https://links.example/some/pay';
const ENGLISH = 'Eng1ish000000000';
const FRENCH = 'French0000000000';
const CZECH = 'Czech00000000000';
const PLAIN = 'P1ain00000000000';
const UNKNOWN = 'Unknown000000000';

/** Nothing of this may stand on a page that anybody can open. */
const PRIVATE = ['Harbour Books', 'Ada Lovelace', 'ada@example.com', '12.34', 'INV-77', 'mer_1'];

async function insertRequests(test: TestDatabase): Promise<void> {
  await test.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
                            signing_secret_encrypted) VALUES ('mer_1', 'Harbour Books', 'u', '', '')`,
  );
  for (const [shortCode, language] of [
    [ENGLISH, 'en'],
    [FRENCH, 'fr-CA'],
    [CZECH, 'cs'],
    [PLAIN, null],
  ]) {
    await test.sql(
      `INSERT INTO payment_requests
         (id, merchant_id, amount_cents, type, payer_name, payer_email, payer_preferred_language,
          invoice_number, short_code, created_at, expires_at)
       VALUES (gen_random_uuid(), 'mer_1', 1234, 'ECOMM', 'Ada Lovelace', 'ada@example.com', $2,
               'INV-77', $1, now(), now() + interval '1 day')`,
      [shortCode, language],
    );
  }
}

function openApp(deps: Pick<PaymentLinkRoutesDeps, 'db'>) {
  const app = fastify();
  registerErrorHandler(app, { origin: 'https://api.example', clock: systemClock });
  const clock = systemClock;
  registerPaymentLinkRoutes(app, {
    clock,
    cell: 1,
    paymentLinkBase: BASE,
    notes: createTimelineNotes({ db: deps.db, clock }),
    findLink: findOpenedLinks({ db: deps.db, clock, metrics: { batched: () => {} } }),
    paying: null,
    ...deps,
  });
  return app;
}

function open(app: FastifyInstance, path: string, headers: Record<string, string> = {}) {
  return app.inject({ url: `/some/pay/${path}`, headers });
}

const languageOf = (html: string) => /<html lang="(\w+)">/.exec(html)?.[1];

/** Rules that hold for every page. */
function assertPage(response: Awaited<ReturnType<typeof open>>): void {
  const { headers, body } = response;
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-robots-tag'], 'noindex, nofollow');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.equal(
    headers['content-security-policy'],
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' data:; form-action 'self'; ` +
      "base-uri 'none'; frame-ancestors 'none'",
  );
  assert.equal(headers['content-language'], languageOf(body));
  assert.equal(body.match(/<h1>/g)?.length, 1);
  assert.match(body, /<title>[^<]+<\/title>/);
  // Works without script, and nothing comes from a third party.
  assert.doesNotMatch(body, /<script|\son\w+=|style=|https?:\/\/(?!www\.w3\.org)/);
  for (const text of PRIVATE) assert.ok(!body.includes(text), text);
  assert.ok(gzipSync(body).length <= 15_000);
}

describe('a sandbox link', () => {
  let test: TestDatabase;
  let app: FastifyInstance;

  before(async () => {
    test = await createTestDatabase('sandbox');
    await insertRequests(test);
    app = openApp({ db: test.db });
  });
  after(() => test.drop());

  it('opens the gateway’s error page: 404, for people', async () => {
    const response = await open(app, PLAIN);
    assert.equal(response.statusCode, 404);
    assertPage(response);
    assert.match(response.body, /<h1>This test link can’t be paid<\/h1>/);
    assert.match(response.body, /That is expected/);
    assert.match(response.body, /depositSubmit/);
  });

  it('shows the same bytes for a short code that nobody has', async () => {
    const known = await open(app, PLAIN);
    for (const path of [UNKNOWN, 'short', `${PLAIN}x`, '%00', 'qr', "';DROP TABLE x"]) {
      const response = await open(app, encodeURIComponent(decodeURIComponent(path)));
      assert.equal(response.statusCode, 404, path);
      assert.equal(response.body, known.body, path);
    }
  });

  it('answers HEAD as GET, without the page', async () => {
    const response = await app.inject({ method: 'HEAD', url: `/some/pay/${PLAIN}` });
    assert.equal(response.statusCode, 404);
    assert.equal(response.body, '');
  });

  for (const [path, acceptLanguage, expected] of [
    [PLAIN, undefined, 'en'],
    [PLAIN, 'fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    [PLAIN, 'cs,en;q=0.1', 'en'],
    [PLAIN, 'pt-BR,en;q=0.1', 'pt'],
    [ENGLISH, 'fr', 'en'],
    [FRENCH, 'en', 'fr'],
    [CZECH, 'fr', 'en'],
    [UNKNOWN, 'fr', 'fr'],
    [`${FRENCH}?lang=en`, 'fr', 'en'],
    [`${ENGLISH}?lang=fr`, 'en', 'fr'],
    [`${FRENCH}?lang=xx`, 'en', 'fr'],
    [`${FRENCH}?lang=en&lang=fr`, 'en', 'fr'],
  ] as const) {
    it(`speaks ${expected} at ${path} to a browser of ${acceptLanguage}`, async () => {
      const headers: Record<string, string> = acceptLanguage
        ? { 'accept-language': acceptLanguage }
        : {};
      const response = await open(app, path, headers);
      assertPage(response);
      assert.equal(languageOf(response.body), expected);
    });
  }

  it('has a link to the other language, in that language', async () => {
    const english = await open(app, PLAIN);
    assert.match(english.body, /<a href="\?lang=fr" lang="fr" hreflang="fr"\s*>Français<\/a>/);
    const french = await open(app, `${PLAIN}?lang=fr`);
    assert.match(french.body, /<a href="\?lang=en" lang="en" hreflang="en"\s*>English<\/a>/);
    assert.match(french.body, /<h1>Ce lien d’essai ne peut pas être payé<\/h1>/);
  });

  it('stays what it is while the database is away', async () => {
    const db = connectDatabase({ url: 'postgres://127.0.0.1:1/x', poolSize: 1 });
    const response = await open(openApp({ db }), FRENCH);
    assert.equal(response.statusCode, 404);
    assertPage(response);
    await db.close();
  });
});

describe('a QR code', () => {
  let test: TestDatabase;
  let app: FastifyInstance;

  before(async () => {
    test = await createTestDatabase('sandbox');
    await insertRequests(test);
    app = openApp({ db: test.db });
  });
  after(() => test.drop());

  it('is a PNG that decodes to the payment link', async () => {
    const response = await open(app, `qr/${PLAIN}`);
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'image/png');
    const { width, height, data } = PNG.sync.read(response.rawPayload);
    assert.ok(width === height && width >= 250);
    assert.equal(decodeQR({ width, height, data: new Uint8Array(data) }), `${BASE}/${PLAIN}`);
  });

  it('is an SVG for who asks for one, which decodes to the same', async () => {
    const response = await open(app, `qr/${PLAIN}`, { accept: 'image/svg+xml' });
    assert.equal(response.headers['content-type'], 'image/svg+xml');
    assert.equal(decodeQR(drawSvg(response.body)), `${BASE}/${PLAIN}`);
  });

  for (const [accept, type] of [
    ['*/*', 'image/png'],
    ['text/html,*/*;q=0.8', 'image/png'],
    ['application/json', 'image/png'],
    ['image/svg+xml;q=0.5,image/png', 'image/png'],
    ['image/svg+xml,image/png;q=0.5', 'image/svg+xml'],
    ['image/svg+xml, */*;q=0.1', 'image/svg+xml'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/png'],
  ] as const) {
    it(`is ${type} for Accept: ${accept}`, async () => {
      const response = await open(app, `qr/${PLAIN}`, { accept });
      assert.equal(response.headers['content-type'], type);
      assert.equal(response.headers.vary, 'Accept');
    });
  }

  it('may be loaded by merchants’ pages, and can do nothing by itself', async () => {
    const { headers } = await open(app, `qr/${PLAIN}`, { accept: 'image/svg+xml' });
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
  });

  it('does not exist for a short code that nobody has', async () => {
    for (const path of [UNKNOWN, 'short']) {
      const response = await open(app, `qr/${path}`);
      assert.equal(response.statusCode, 404);
      assert.equal(response.json().code, 'PAYMENT_REQUEST_NOT_FOUND');
    }
  });

  it('is unavailable, not broken, while the database is away', async () => {
    const db = connectDatabase({ url: 'postgres://127.0.0.1:1/x', poolSize: 1 });
    const response = await open(openApp({ db }), `qr/${PLAIN}`);
    assert.equal(response.statusCode, 503);
    assert.equal(response.headers['retry-after'], '2');
    await db.close();
  });
});

/** Draws what our SVG says, module by module, as a decoder wants it. */
function drawSvg(svg: string) {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const scale = 4;
  const width = side * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  const black = /<path stroke="#000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  const runs = [...black.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));
  for (const [x = 0, y = 0, length = 0] of runs) {
    for (let py = y * scale; py < (y + 1) * scale; py++) {
      for (let px = x * scale; px < (x + length) * scale; px++) {
        data.fill(0, (py * width + px) * 4, (py * width + px) * 4 + 3);
      }
    }
  }
  return { width, height: width, data };
}
