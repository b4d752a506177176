import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HttpsListener } from '../webhooks/https-listener.ts';

const HIDDEN_HEADERS = new Set(['authorization', 'webhook-signature']);

/** The open attempt on a page is the first one that left, but for what is blanked. */
export async function assertShownAsSent(page: Page, listener: HttpsListener): Promise<void> {
  const text = (await page.locator('details[open] pre').first().textContent()) ?? '';
  const shown = text.split('\n');
  const [sent] = await listener.received(1);
  assert.equal(shown[0], 'POST /webhooks HTTP/1.1');
  const head = shown.slice(1).map((line) => line.split(': ') as [string, string]);
  const expected = Object.entries(sent?.headers ?? {}).map(([name, value]) => [
    name,
    HIDDEN_HEADERS.has(name) ? String(value).replace(/(?<=^Basic |^v1,).*/, '••••••') : value,
  ]);
  assert.deepEqual(Object.fromEntries(head), Object.fromEntries(expected));
  const all = await page.content();
  assert.ok(!all.includes(String(sent?.headers['webhook-signature']).slice(3)));
  assert.ok(!all.includes(String(sent?.headers.authorization).slice(6)));
}
