import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import type { Answer } from '../support/service/service.ts';

/** The most calls of payers that the gate takes, once it has shrunk. */
const PLACES = 500;

let production: Production;
let blocker: pg.Client;
let link: string;
let form: string;

before(async () => {
  production = await startProduction();
  const { service } = production;
  link = `/pay/${(await production.createLink()).shortCode}`;
  const opened = await service.call('GET', link);
  form = `${new URL(opened.headers.get('location') ?? '', service.url).pathname}/choose`;
  blocker = new pg.Client({ connectionString: service.database.url });
  await blocker.connect();
});
after(async () => {
  await blocker?.end();
  await production?.stop();
});

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${production.service.opsUrl}/metrics`)).text();
  return sampleOf(text, name) ?? Number.NaN;
}

/** Opens payment links, which wait for the database, until the gate has no place for a payer. */
async function whileTheGateIsFull(work: () => Promise<void>): Promise<void> {
  const { service } = production;
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE payment_requests IN ACCESS EXCLUSIVE MODE');
  const done = new AbortController();
  const opening = Array.from({ length: PLACES }, () => openUntil(done.signal));
  try {
    await eventually(async () => (await gauge('http_requests_in_flight')) >= PLACES);
    for (let n = 0; n < 20; n += 1) {
      service.clock.advance(100);
      await fetch(`${service.url}/problems`);
    }
    assert.equal(await gauge('http_requests_in_flight_limit'), 400);
    await work();
  } finally {
    done.abort();
    await blocker.query('COMMIT');
    await Promise.all(opening);
  }
}

/** Opens the link again and again: the service gives up a call whose database is silent for 2 s. */
async function openUntil(done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    const startedMs = performance.now();
    await production.service.call('GET', link);
    // The gate has refused it: another call at once would only keep the processors busy.
    if (performance.now() - startedMs < 1_000) await wait(500);
  }
}

function assertPage(answer: Answer, language: string, title: RegExp): void {
  assert.equal(answer.status, 503, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.ok(answer.text.includes(`<html lang="${language}"`));
  assert.match(answer.text, title);
}

const ENGLISH = /We can’t open this page right now/;
const FRENCH = /Impossible d’ouvrir cette page en ce moment/;

describe('a payer for whom the service has no place', () => {
  it('gets the page that says so, in the payer’s language', async () => {
    const { service } = production;
    const get = (path: string, headers: Record<string, string> = {}) =>
      service.call('GET', path, { headers: { accept: 'text/html', ...headers } });
    await whileTheGateIsFull(async () => {
      for (const path of [link, form]) {
        assertPage(await get(path), 'en', ENGLISH);
        assertPage(await get(path, { 'accept-language': 'fr-CA,fr' }), 'fr', FRENCH);
        assertPage(await get(path, { cookie: '__Host-lang=fr' }), 'fr', FRENCH);
        const asked = await get(`${path}?lang=fr`, { cookie: '__Host-lang=en' });
        assertPage(asked, 'fr', FRENCH);
        assert.match(asked.headers.get('set-cookie') ?? '', /^__Host-lang=fr/);
        assert.match(asked.text, /Simul|simul/);
      }
      const sent = await service.call('POST', form, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'institution=kestrel',
      });
      assertPage(sent, 'en', ENGLISH);
      for (const path of ['/problems', '/docs']) {
        assertPage(await get(path, { 'accept-language': 'fr' }), 'fr', FRENCH);
      }
    });
    const faults = service.logLines.filter(({ problemCode }) => problemCode === 'INTERNAL_ERROR');
    assert.deepEqual(faults, []);
  });

  it('gets a problem where a script asks', async () => {
    const { service } = production;
    await whileTheGateIsFull(async () => {
      const refused = await service.call('GET', '/problems', {
        headers: { accept: 'application/json' },
      });
      assert.equal(refused.status, 503, refused.text);
      assert.equal(refused.json.code, 'TEMPORARILY_UNAVAILABLE');
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
    });
  });
});
