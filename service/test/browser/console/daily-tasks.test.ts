import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { assertAccessible } from '../../support/browser/axe.ts';
import { startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { assertShownAsSent } from '../../support/daily-tasks/assert-shown-as-sent.ts';
import { type BusyShop, startBusyShop } from '../../support/daily-tasks/busy-shop.ts';
import { performTask, type Task, type Worker } from '../../support/daily-tasks/perform-task.ts';
import { eventually } from '../../support/eventually.ts';
import { parseCsv } from '../../support/payment-requests/parse-csv.ts';
import { untilRecorded } from '../../support/webhooks/recorded-attempts.ts';

let browser: Browser;
let shop: BusyShop;

before(async () => {
  shop = await startBusyShop();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await shop?.stop();
});

const HOME = '/console';
const OVERVIEW = '/console/m/:merchant/overview';

/** Searches, and ends on the page of the customer's payment request. */
async function find(worker: Worker, reference: string): Promise<void> {
  await worker.search(reference);
  await worker.page.getByRole('heading', { level: 1, name: /Paid$/ }).waitFor();
  assert.ok(worker.page.url().endsWith(`/payment-requests/${shop.called}`), worker.page.url());
}

/** Each task with the clicks of the review that counted them; they follow one another. */
const TASKS: Readonly<Record<string, Task>> = {
  'support finds a payment by the shop’s reference': {
    who: 'support',
    from: HOME,
    most: 1,
    run: (worker) => find(worker, 'order-4711'),
  },
  'support finds a payment by the payer’s name': {
    who: 'support',
    from: HOME,
    most: 1,
    run: (worker) => find(worker, 'zoë tremb'),
  },
  'support sees that the shop did not hear of a payment, and sends the webhook again': {
    who: 'support',
    from: HOME,
    most: 3,
    async run(worker) {
      const { page, click } = worker;
      await find(worker, 'order-4711');
      const timeline = page.getByRole('list').filter({ hasText: 'Payment request created' });
      await timeline.getByText('The listener answered another status than 2xx.').waitFor();
      await timeline.getByText('Answered 503 in').waitFor();
      await click(timeline.getByText('Request and answer').first());
      await timeline.getByText('Closed for <repairs>.').waitFor();
      await assertShownAsSent(page, shop.listener);
      await assertAccessible(page);
      // The shop is open again.
      shop.listener.answerWith((_request, response) => response.end('thanks'));
      await click(page.getByRole('button', { name: /^Send again: payment completed to/ }));
      await page.getByRole('status').getByText('The webhook is sent again.').waitFor();
      await untilRecorded(shop.service.database, 2);
      await page.reload();
      await timeline.getByText('The listener answered 2xx.').waitFor();
      await timeline.getByText('Ada support sent a webhook again', { exact: true }).waitFor();
      const [first, second] = await shop.listener.received(2);
      assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
      assert.equal(second?.body, first?.body);
    },
  },
  'finance exports the payment requests': {
    who: 'finance',
    from: OVERVIEW,
    most: 2,
    async run({ page, click, main }) {
      const menu = page.getByRole('navigation');
      await click(menu.getByRole('link', { name: 'Payment requests', exact: true }).first());
      await page.waitForURL(/payment-requests$/);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        click(main.getByRole('link', { name: /CSV/ })),
      ]);
      const rows = parseCsv(await readFile(await download.path(), 'utf8'));
      assert.equal(rows.length, 2, 'a head and a row');
      assert.ok(rows[1]?.includes('order-4711'));
    },
  },
  'a developer sees why the webhooks fail': {
    who: 'administrator',
    from: OVERVIEW,
    prepare: () => shop.loseAnHour(),
    most: 2,
    async run({ click, main, page }) {
      const reason = main.getByText(/^Failing · HTTP 503 · \S+ \S+ · 12 waiting$/);
      await click(main.getByRole('link', { name: 'Failing endpoints' }));
      await reason.waitFor();
      await click(main.getByRole('link', { name: shop.listener.url }));
      await reason.waitFor();
      const answer = main.locator('section', { hasText: 'Last answer' });
      await answer.getByText('Closed.', { exact: true }).waitFor();
      await page.getByText('Held back since').waitFor();
      const waiting = page.locator('dt', { hasText: 'Deliveries waiting' }).locator('+ dd');
      assert.equal(await waiting.textContent(), `${shop.lost.length}`);
      await assertAccessible(page);
    },
  },
  'support replays the hour that the listener was down': {
    who: 'support',
    from: OVERVIEW,
    most: 4,
    run: replay,
  },
  'a developer corrects the URL of an endpoint': {
    who: 'administrator',
    from: '/console/m/:merchant/endpoints',
    most: 3,
    async run({ page, main, click, write }) {
      await click(main.getByRole('link', { name: shop.listener.url }));
      await click(main.getByRole('link', { name: 'Edit', exact: true }));
      const url = `${shop.listener.url}?version=2`;
      await write(page.getByLabel('URL', { exact: true }), url);
      await click(main.getByRole('button', { name: /^Save/ }));
      await main.getByText(url).first().waitFor();
    },
  },
  'finance refunds half of a payment': {
    who: 'finance',
    from: HOME,
    most: 4,
    async run(worker) {
      const { page, click } = worker;
      await find(worker, 'order-4711');
      await click(page.getByRole('link', { name: 'Refund', exact: true }));
      await page.getByRole('heading', { level: 1, name: 'Give money back' }).waitFor();
      await click(page.getByLabel('Half of it, $6.17'));
      await click(page.getByRole('button', { name: 'Refund $6.17' }));
      await page.getByText(/^\$6\.17 is on its way to /).waitFor();
      const { refundSummary } = (await shop.calls.read(shop.called)).json;
      assert.equal(refundSummary.amountAvailable, 6.17);
    },
  },
  'finance proposes a large refund': {
    who: 'finance',
    from: HOME,
    most: 3,
    async run({ page, click, search }) {
      await search(shop.lost[0] ?? '');
      await click(page.getByRole('link', { name: 'Refund', exact: true }));
      await click(page.getByRole('button', { name: 'Propose a refund of $12.34' }));
      await page.getByText('Proposed. Nothing has happened yet').waitFor();
    },
  },
  'a second person approves': {
    who: 'administrator',
    from: HOME,
    most: 3,
    async run({ page, click }) {
      await click(page.getByRole('link', { name: /^Approvals/ }).first());
      await click(page.getByRole('link', { name: 'Refund', exact: true }));
      await click(page.getByRole('button', { name: 'Approve' }));
      await page.getByText('Approved and done.').waitFor();
      const read = await shop.calls.read(shop.lost[0] ?? '');
      assert.equal(read.json.refundSummary?.amountAvailable, 0, read.text);
    },
  },
  'finance reconciles the day before': {
    who: 'finance',
    from: OVERVIEW,
    most: 2,
    prepare: () => shop.pass(86_400),
    async run({ page, main, click }) {
      const menu = page.getByRole('navigation');
      await click(menu.getByRole('link', { name: 'Daily report', exact: true }).first());
      const [ledger] = await shop.service.database.sql<{ sum: string }>(
        `SELECT to_char(sum(amount_cents) / 100.0, 'FM$999990.00') AS sum FROM ledger_entries`,
      );
      const sums = main.locator('table:has(caption:text("Sums of the day"))');
      await eventually(async () => {
        // The report waits for older transactions of the database server.
        if ((await sums.count()) === 0) await page.reload();
        const closing = (await sums.locator('tr').last().textContent()) ?? '';
        return closing.includes(ledger?.sum ?? '-') ? closing : undefined;
      }, 'the closing sum');
    },
  },
  'an operator onboards a merchant': {
    who: 'operator',
    from: HOME,
    most: 3,
    async run({ page, click, write }) {
      await click(page.getByRole('link', { name: 'Merchants', exact: true }).first());
      await click(page.getByRole('link', { name: 'Onboard a merchant' }));
      await write(page.getByLabel('Name', { exact: true }), 'Maple Bikes');
      await write(page.getByLabel('Support e-mail'), 'help@maple.example');
      await click(page.getByRole('button', { name: 'Onboard and show the credentials' }));
      await page.getByRole('heading', { level: 1, name: 'Maple Bikes is registered' }).waitFor();
    },
  },
  'an operator sees that no payment is stuck': {
    who: 'operator',
    from: HOME,
    most: 1,
    async run({ page, click }) {
      await click(page.getByRole('link', { name: /^Overdue payments|overdue\?$/ }).first());
      await page.getByText('No payment request is overdue.').waitFor();
    },
  },
  'an operator reads the audit log, and verifies it': {
    who: 'operator',
    from: HOME,
    most: 3,
    async run({ page, click, main }) {
      await click(page.getByRole('link', { name: 'Audit log', exact: true }).first());
      const sent = { name: /Sent a webhook again .*Ada support/ };
      await main.getByRole('row', sent).first().waitFor();
      await click(main.getByRole('link', { name: 'Verify the log' }));
      await click(main.getByRole('button', { name: /^Verify/ }).first());
      await main.getByText(/Unchanged/).waitFor();
    },
  },
};

/** The replay says its number beforehand, goes on in a page that is left, and follows without one. */
async function replay({ page, main, click }: Worker): Promise<void> {
  await click(main.getByRole('link', { name: 'Failing endpoints' }));
  await click(main.getByRole('link', { name: shop.listener.url }));
  assert.equal(await page.getByRole('link', { name: 'Rotate the secret' }).count(), 0);
  // The listener is back; the answers to the first events are held, to see the replay at work.
  const before = shop.listener.requests.length;
  const held: ServerResponse[] = [];
  shop.listener.answerWith((_request, response) => held.push(response));
  await click(page.getByRole('link', { name: 'Replay events' }));
  assert.ok(await page.getByLabel('since it began to fail').isChecked());
  await page.getByText(`This would send ${shop.lost.length + 1} events.`).waitFor();
  await click(page.getByRole('button', { name: 'Start the replay' }));

  const progress = page.getByRole('progressbar');
  const sums = page.getByText(`${shop.lost.length + 1} sent again, ${shop.lost.length + 1} wait.`);
  await sums.waitFor();
  await eventually(() => Promise.resolve(held.length > 0), 'a webhook at the listener');
  await page.reload();
  await sums.waitFor();
  assert.equal(await progress.getAttribute('value'), '0');
  await assertAccessible(page);

  // The open page follows without a reload.
  shop.listener.answerWith((_request, response) => response.end());
  for (const response of held) response.end();
  await page.getByText('Completed', { exact: true }).waitFor();
  assert.equal(await progress.getAttribute('value'), '100');
  await page.getByText(`${shop.lost.length + 1} sent again, none waits.`).waitFor();
  const arrived = shop.listener.requests
    .slice(before)
    .map(({ body }) => JSON.parse(body).resource.id);
  assert.deepEqual(new Set(arrived), new Set([shop.called, ...shop.lost]));

  // Beyond the task: the endpoint is well, and the list and the log have the replay.
  await page.getByRole('link', { name: 'Endpoint', exact: true }).click();
  await page.getByText('Well', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'All replays' }).click();
  await page.getByText('100 % done').waitFor();
  const [entry] = await shop.service.database.sql<{ actor: string }>(
    "SELECT actor FROM audit_log WHERE action = 'WEBHOOK_REPLAY_STARTED'",
  );
  assert.match(entry?.actor ?? '', /Ada support/);
}

/** Landmarks and headings, as a screen reader tells them one after the other. */
const READ: Readonly<Record<string, readonly string[]>> = {
  '/console': [
    ...['banner', 'navigation', '2 Harbour Books', 'main', '1 Find a payment', 'search'],
    'contentinfo',
  ],
  [OVERVIEW]: [
    ...['banner', 'search', 'navigation', 'main', '1 Overview', '2 Today', '3 Money in', '3 Paid'],
    ...['3 Created', '3 Still open', '3 Failed', '3 Expired', '3 Cancelled', '3 Money back'],
    ...['3 Time to pay', '2 Webhooks', '2 The last 24 hours', 'contentinfo'],
  ],
  '/console/m/:merchant/payment-requests/:called': [
    ...['banner', 'search', 'navigation', 'main', '1 Zoë Tremblay · $12.34 · Paid', '2 Details'],
    ...['2 Timeline', '2 Webhooks', '2 Payment link', 'contentinfo'],
  ],
};

/** Reads the accessibility tree of a page, and names its landmarks and headings in their order. */
async function readAloud({ page, main }: Pick<Worker, 'page' | 'main'>): Promise<string[]> {
  await main.waitFor();
  const tree = await page.locator('body').ariaSnapshot();
  return tree.split('\n').flatMap((line) => {
    const [, landmark] = /^ *- (banner|navigation|search|main|contentinfo)\b/.exec(line) ?? [];
    const [, name, level] = /^ *- heading "(.*)" \[level=(\d)\]/.exec(line) ?? [];
    return landmark ?? (name === undefined ? [] : `${level} ${name}`);
  });
}

describe('the tasks of a day', { skip: WITHOUT_BROWSER }, () => {
  for (const [name, task] of Object.entries(TASKS)) {
    it(`take few presses of keys: ${name}`, () =>
      performTask(browser, shop.service, shop.merchant.merchantId, task));
  }

  for (const [path, expected] of Object.entries(READ)) {
    it(`begin at a page that is read in the order of its sense: ${path}`, async () => {
      await performTask(browser, shop.service, shop.merchant.merchantId, {
        who: 'finance',
        from: path.replace(':called', shop.called),
        most: 0,
        async run(worker) {
          const read = await readAloud(worker);
          // Tabs are a navigation, too.
          const isPart = (line: string, at: number) =>
            expected.includes(line) && (line !== 'navigation' || at === read.indexOf(line));
          assert.deepEqual(read.filter(isPart), expected, read.join('\n'));
        },
      });
    });
  }
});
