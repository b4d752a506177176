import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type ConsoleClient,
  type SignInOptions,
  signIn,
} from '../support/console/console-client.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

describe('the first page of the console', () => {
  let service: TestService;
  let merchantId: string;

  before(async () => {
    service = await startTestService();
    ({ merchantId } = await service.createMerchant({ name: 'Own Shop' }));
  });
  after(() => service?.stop());

  /** The links of the page, in its menu and its content. */
  const linksOf = (html: string) =>
    [...html.matchAll(/href="(\/console\/[^"]+)"/g)].map(([, path = '']) => path);
  const open = async (options: SignInOptions): Promise<[ConsoleClient, string, string[]]> => {
    const client = await signIn(service, options);
    const { html } = await client.get('/console');
    return [client, html, linksOf(html)];
  };

  it('holds the only search of the page inside the content', async () => {
    const [, html] = await open({ role: 'viewer', merchantId });
    assert.equal(html.match(/role="search"/g)?.length, 1);
    assert.ok(html.indexOf('role="search"') > html.indexOf('<main'));
  });

  it('leads every role to pages that this role may open', async () => {
    for (const role of ['administrator', 'support', 'finance', 'viewer'] as const) {
      const [client, , links] = await open({ role, merchantId });
      assert.ok(links.includes(`/console/m/${merchantId}/overview`), role);
      const hasReport = links.includes(`/console/m/${merchantId}/report`);
      assert.equal(hasReport, role === 'administrator' || role === 'finance', role);
      for (const path of links) assert.equal((await client.get(path)).status, 200, path);
    }
  });

  it('keeps the pages of the only merchant in the navigation of every page', async () => {
    const [client] = await open({ role: 'support', merchantId });
    for (const path of ['/console', '/console/account', '/console/search?found=']) {
      const { html } = await client.get(path);
      const [, navigation = ''] = /<nav id="sections"(.*?)<\/nav>/s.exec(html) ?? [];
      assert.match(navigation, new RegExp(`/console/m/${merchantId}/deliveries"`), path);
      assert.doesNotMatch(navigation, /credentials|operator/, path);
    }
  });

  it('says what waits for a person, with the same number in the menu', async () => {
    const waiting = async (options: SignInOptions) => {
      const [, html] = await open(options);
      const [menu = '', content = ''] = html.split('<main');
      const tiles =
        /class="card tile \w+"><h3><a href="([^"]+)">[^<]*<\/a><\/h3><p class="number">(\d+)/g;
      const badges = /<li><a href="([^"]+)"[^>]*>[^<]*<span class="count warning">(\d+)</g;
      const found = (text: string, pattern: RegExp) =>
        [...text.matchAll(pattern)].map(([, href, count]) => `${href} ${count}`);
      assert.deepEqual(found(content, tiles).sort(), found(menu, badges).sort());
      return found(content, tiles);
    };
    assert.deepEqual(await waiting({ role: 'operator' }), []);
    await service.database.sql(
      `INSERT INTO operator_cases (id, kind, merchant_id, opened_at, details)
       SELECT gen_random_uuid(), 'AMOUNT_MISMATCH', $1, now(), '{"arrivedCents": 5}'`,
      [merchantId],
    );
    assert.deepEqual(await waiting({ role: 'operator' }), [
      '/console/operator/cases 1',
      '/console/operator/unmatched 1',
    ]);
    assert.deepEqual(await waiting({ role: 'finance', merchantId }), [
      `/console/m/${merchantId}/cases 1`,
    ]);
    assert.deepEqual(await waiting({ role: 'support', merchantId }), []);
  });

  it('leads operators to the answers about the whole deployment', async () => {
    for (const role of ['operator', 'operator-readonly'] as const) {
      const [client, , links] = await open({ role });
      for (const page of ['health', 'overdue', 'overview', 'merchants', 'cases', 'report']) {
        assert.ok(links.includes(`/console/operator/${page}`), page);
      }
      for (const path of links) assert.equal((await client.get(path)).status, 200, path);
    }
  });
});
