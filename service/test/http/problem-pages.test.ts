import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PROBLEM_CODES } from '#lib/problem.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const get = (path: string, accept?: string) =>
  service.call('GET', path, accept === undefined ? {} : { headers: { accept } });

/** The Accept header of a browser. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the pages of the problems', () => {
  it('are listed, every one', async () => {
    const { status, json } = await get('/problems', 'application/json');
    assert.equal(status, 200);
    assert.deepEqual(
      json.problems.map(({ code }: { code: string }) => code),
      [...PROBLEM_CODES],
    );
    const page = await get('/problems', BROWSER);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    for (const { type, code } of json.problems) {
      assert.ok(page.text.includes(`href="${new URL(type).pathname}"`), code);
    }
  });

  for (const code of PROBLEM_CODES) {
    it(`say what ${code} means and what to do, as a page and as JSON`, async () => {
      const path = `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
      const { status, json } = await get(path, 'application/json');
      assert.equal(status, 200);
      assert.equal(json.type, `https://pay.test${path}`);
      assert.deepEqual([json.code, json.example.code], [code, code]);
      assert.equal(json.example.status, json.status);
      assert.ok(json.meaning.length > 20 && json.remedy.length > 10);
      const page = await get(path, BROWSER);
      assert.equal(page.status, 200);
      assert.match(page.text, /^<!doctype html>\s*<html lang="en">/);
      assert.ok(page.text.includes(`<code>${code}</code>`));
      assert.ok(page.text.includes('&quot;requestId&quot;'), 'the example');
    });
  }

  it('are JSON where the caller does not say', async () => {
    assert.match(
      (await get('/problems/rate-limited')).headers.get('content-type') ?? '',
      /^application\/json/,
    );
  });

  it('are distinguished by caches', async () => {
    for (const accept of [BROWSER, 'application/json']) {
      assert.equal((await get('/problems', accept)).headers.get('vary'), 'Accept, Accept-Encoding');
    }
  });

  it('for no problem are 404, and in another form 406', async () => {
    assert.equal((await get('/problems/nothing', '*/*')).json.code, 'ROUTE_NOT_FOUND');
    assert.match((await get('/problems/nothing', BROWSER)).text, /There is no page here/);
    assert.equal((await get('/problems', 'image/png')).json.code, 'NOT_ACCEPTABLE');
  });

  it('are where the type of an answer leads', async () => {
    const refused = await get('/v1/payment-requests/none');
    const { json } = await get(new URL(refused.json.type).pathname);
    assert.equal(json.code, refused.json.code);
  });
});
