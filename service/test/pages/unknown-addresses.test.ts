import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import { eventually } from '../support/eventually.ts';
import { navigate, send } from '../support/payment-requests/navigate.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const UNKNOWN = ['/pay', '/pay/', '/gateway', '/nothing/here', '/problems/none', '/%zz', '/v1x'];

let production: Production;

before(async () => {
  production = await startProduction();
});
after(() => production.stop());

const addressOf = (path: string) => production.service.url + path;

describe('an unknown address', () => {
  it('shows a person a page, in the person’s language', async () => {
    const payer = createPayer(production.service);
    for (const path of UNKNOWN) {
      for (const [language, title] of [
        ['en', 'There is no page here'],
        ['fr', 'Il n’y a aucune page ici'],
      ] as const) {
        const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': language };
        const page = await payer.open(path, headers);
        assert.equal(page.status, 404, path);
        assertPayerPage(page, language);
        assert.equal(page.title, title);
        assert.match(page.html, /class="notice"/, 'no real money moves');
        assert.match(page.headers.get('vary') ?? '', /^Accept, Accept-Language\b/);
      }
    }
  });

  it('answers a program with a problem', async () => {
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'image/avif,image/webp,*/*;q=0.8',
    ]) {
      for (const path of UNKNOWN) {
        const headers = accept === undefined ? {} : { accept };
        const answer = await send(addressOf(path), headers);
        assert.match(`${answer.headers['content-type']}`, /^application\/problem\+json/, path);
      }
    }
  });

  it('answers below the API with a problem, and every other method too', async () => {
    for (const path of ['/v1/nothing', '/v1/nothing?x=/pay', '/oauth2/token/x']) {
      const answer = await navigate(addressOf(path));
      assert.match(`${answer.headers['content-type']}`, /^application\/problem\+json/, path);
    }
    const headers = { accept: 'text/html' };
    const posted = await production.service.call('POST', '/nothing', { headers });
    assert.equal(posted.json.code, 'ROUTE_NOT_FOUND');
  });
});

describe('a pasted link', () => {
  const tails = [
    '.',
    ')',
    '%20',
    '/',
    '.)',
    '%E2%80%9D',
    '%C2%A0',
    '%3E',
    ',%20',
    './',
    '!%0A',
    '%22',
  ];

  it('leads to its clean address, with its query', async () => {
    const { paymentLink } = await production.createLink();
    const { pathname } = new URL(paymentLink);
    for (const tail of tails) {
      const answer = await navigate(addressOf(`${pathname}${tail}?lang=fr`));
      assert.equal(answer.status, 308, tail);
      assert.equal(answer.headers.location, `${pathname}?lang=fr`, tail);
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
    const opened = await navigate(addressOf(`${pathname}.`));
    assert.equal((await navigate(addressOf(`${opened.headers.location}`))).status, 303);
    assert.equal((await navigate(addressOf(pathname))).status, 303);
  });

  it('shows nothing of whether its code exists', async () => {
    const answer = await navigate(addressOf('/pay/Unknown000000000.'));
    assert.deepEqual([answer.status, answer.headers.location], [308, '/pay/Unknown000000000']);
  });

  it('with anything else behind its code is not found, and counts as a guess', async () => {
    const { paymentLink } = await production.createLink();
    const { pathname } = new URL(paymentLink);
    for (const tail of ['x', '%00', '-', '.x', '&', '/x', '..........']) {
      const answer = await navigate(addressOf(pathname + tail));
      assert.equal(answer.status, 404, tail);
    }
    for (let times = 0; times < 30; times++) {
      const answer = await navigate(addressOf(`/pay/Unknown000000000.`));
      assert.equal(answer.status, 308);
    }
    const guesses = [];
    for (let times = 0; times < 25; times++) {
      guesses.push((await navigate(addressOf('/pay/Unknown/'))).status);
    }
    assert.ok(guesses.includes(429), 'guesses with a slash are counted');
    assert.equal((await navigate(addressOf(pathname))).status, 303);
  });
});

describe('the opening of a link by a browser without Sec-Fetch-Mode', () => {
  it('is noted once, with the first step that proves it', async () => {
    const { id, paymentLink } = await production.createLink();
    const typesOf = async () => {
      const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
      return json.data.map(({ type, step = type }: { type: string; step?: string }) => step);
    };
    const payer = createPayer(production.service);
    await payer.signIn(paymentLink, 'approve');
    await eventually(async () => (await typesOf()).includes('SIGNED_IN'), 'the sign-in');
    assert.deepEqual(await typesOf(), [
      'STATUS_CHANGED',
      'LINK_OPENED',
      'INSTITUTION_CHOSEN',
      'SIGNED_IN',
    ]);
  });

  it('is not noted again where the opening was seen', async () => {
    const { id, paymentLink } = await production.createLink();
    await navigate(addressOf(new URL(paymentLink).pathname));
    await createPayer(production.service).signIn(paymentLink, 'approve');
    await eventually(async () => {
      const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
      const types: string[] = json.data.map(({ type }: { type: string }) => type);
      const openings = types.filter((type) => type === 'LINK_OPENED').length;
      return types.length === 4 && openings === 1;
    }, 'one opening and two steps');
  });
});

describe('a page that waits', () => {
  it('can be looked at again without script', async () => {
    const { paymentLink } = await production.createLink();
    const { pathname } = new URL(paymentLink);
    const payer = createPayer(production.service);
    const processing = await payer.send(await payer.signIn(paymentLink, 'slow'), {
      decision: 'confirm',
    });
    const again = /<a class="button quiet" href="([^"]+)">Check again<\/a>/;
    assert.match(processing.html, /<noscript>.*Check again/s);
    assert.equal(again.exec(processing.html)?.[1], pathname);
    const waiting = await payer.open(`${(await production.createLink()).paymentLink}?returned=1`);
    const main = /<a class="button " href="([^"]+)">Check again<\/a>\s*<a class="button quiet"/;
    assert.match(main.exec(waiting.html)?.[1]?.replace('&#61;', '=') ?? '', /\?returned=1$/);
  });
});
