import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newPageId } from '#lib/cells/page-id.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts';
import { eventually } from '../../support/eventually.ts';
import { makePng } from '../../support/make-png.ts';
import { createPayer, type Payer } from '../../support/payment-requests/payer.ts';
import { callAt } from '../../support/service/service.ts';

const NEW = {
  amount: '12.34',
  type: 'ECOMM',
  payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
} as const;

let two: TwoCells;

before(async () => {
  two = await startTwoCells();
});
after(() => two?.stop());

const newPayer = () => createPayer({ url: two.router.url });

async function pay(payer: Payer, link: string, username = 'approve') {
  return payer.send(await payer.signIn(link, username), { decision: 'confirm' });
}

describe('the router of two cells', () => {
  it('leads a merchant’s calls to the merchant’s cell, by key and by the host of the token call', async () => {
    for (const { number, mark, merchant, client, service } of two.cells) {
      const made = await client.createPaymentRequest(NEW);
      assert.match(made.shortCode, new RegExp(`^${mark}[0-9A-Za-z]{16}$`));
      assert.ok(merchant.apiKey.startsWith(`${mark}prd_`));
      assert.equal((await client.getPaymentRequest(made.id)).status, 'CREATED');
      assert.equal((await client.cancelPaymentRequest(made.id)).status, 'CANCELLED');
      const other = two.cells.find((cell) => cell.number !== number);
      const find = 'SELECT FROM payment_requests WHERE id = $1';
      assert.equal((await service.database.sql(find, [made.id])).length, 1);
      assert.equal((await other?.service.database.sql(find, [made.id]))?.length, 0);
      await assert.rejects(() => other?.client.getPaymentRequest(made.id) as Promise<unknown>, {
        code: 'PAYMENT_REQUEST_NOT_FOUND',
      });
    }
  });

  it('leads a Basic token call at the shared host by its user name', async () => {
    for (const { merchant, number } of two.cells) {
      const basic = Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64');
      const answer = await callAt(`${two.router.url}/oauth2/token`, 'POST', {
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(await two.cellOf(answer), `cell${number}`);
    }
  });

  it('takes one browser through payments of both cells at once, and webhooks arrive', async () => {
    const payer = newPayer();
    const links = await Promise.all(
      two.cells.map(({ client }) => client.createPaymentRequest({ ...NEW, invoiceNumber: 'A-1' })),
    );
    const confirms = [];
    for (const { paymentLink } of links) confirms.push(await payer.signIn(paymentLink, 'approve'));
    for (const [index, { client, listener, mark, merchant, service }] of two.cells.entries()) {
      const link = links[index];
      const confirm = confirms[index];
      assert.ok(link && confirm);
      assert.match(confirm.address, new RegExp(`^/gateway/${mark}[0-9A-Za-z]{22}/`));
      const shown = await payer.send(confirm, { decision: 'confirm' });
      assert.equal(shown.title, 'You paid $12.34 to Demo Shop');
      assert.equal(shown.address, `/pay/${link.shortCode}?returned=1`);
      assert.equal((await client.getPaymentRequest(link.id)).status, 'PAID');
      const webhooks = await eventually(async () => {
        await service.advance(0);
        const found = listener.requests.filter(({ body }) => body.includes(link.id));
        return found.length > 0 && found;
      }, 'the webhook');
      assert.equal(JSON.parse(webhooks[0]?.body ?? '').eventType, 'PAYMENT-COMPLETED');
      const refund = await client.createRefund(link.id, { amount: '1.00' });
      assert.equal((await client.getRefund(refund.id)).paymentRequestId, link.id);
      const headers = merchant.headers;
      await eventually(
        async () => (await two.ask('/v1/events?limit=100', headers)).text.includes(link.id),
        'the event in the feed',
      );
    }
    const [first, second] = two.cells.map(({ listener }) =>
      listener.requests.map(({ body }) => JSON.parse(body).resource.id),
    );
    assert.ok(!first?.includes(links[1]?.id) && !second?.includes(links[0]?.id));
  });

  it('serves scripts, images, logos and live updates of each cell’s pages', async () => {
    for (const { client, service, merchant, mark, number } of two.cells) {
      const { db } = service.database;
      const { merchantId } = merchant;
      const change = { merchantId, texts: {}, logo: makePng(64 + number, 64), remove: [] };
      await setProfile({ db, clock: service.clock, actor: 'test' }, change);
      const link = await client.createPaymentRequest(NEW);
      const payer = newPayer();
      assert.equal((await payer.request(link.qrCodeLink)).headers.get('content-type'), 'image/png');
      const pages = [
        await payer.open(link.paymentLink),
        await pay(payer, link.paymentLink, 'slow'),
      ];
      const paths = pages.flatMap(({ html }) =>
        [...html.matchAll(/(?:src|data-live)="([^"]+)"/g)].map(([, path = '']) => path),
      );
      assert.ok(paths.some((path) => path.includes('/merchant-logos/')));
      assert.ok(paths.some((path) => path.includes('/gateway/')));
      assert.ok(paths.some((path) => path.includes('/pay/live/')));
      for (const path of paths) {
        const { pathname, search } = new URL(path, two.router.url);
        assert.match(pathname, new RegExp(`^/[a-z-]+/((live|qr)/)?${mark}(?!c\\d)`));
        const answer = await two.ask(pathname + search);
        assert.deepEqual([answer.status, await two.cellOf(answer)], [200, `cell${number}`], path);
      }
    }
  });

  it('hands live events on at once', async () => {
    for (const { client, service } of two.cells) {
      const link = await client.createPaymentRequest(NEW);
      const page = await pay(newPayer(), link.paymentLink, 'slow');
      const [, live = ''] = /data-live="([^"]+)"/.exec(page.html) ?? [];
      const stream = await fetch(two.router.url + live, {
        headers: { accept: 'text/event-stream' },
      });
      assert.equal(stream.status, 200);
      const reader = stream.body?.getReader();
      assert.ok(reader);
      assert.match(Buffer.from((await reader.read()).value ?? []).toString(), /event: ready/);
      await service.advance(20);
      assert.match(Buffer.from((await reader.read()).value ?? []).toString(), /event: changed/);
      await reader.cancel();
    }
  });

  it('leads callbacks of a network by their id', async () => {
    for (const { number, callbacks } of two.cells) {
      const id = newPageId(number);
      const answer = await callAt(`${two.router.url}/callbacks/${id}`, 'POST', {});
      assert.equal(answer.status, 204);
      assert.deepEqual(callbacks, [id]);
    }
  });

  it('keeps the other cell’s calls while a cell is down', async () => {
    const [first, second] = two.cells;
    await second.service.stop();
    const down = async () => {
      const answer = await two.ask('/v1/payment-requests', { 'x-api-key': second.merchant.apiKey });
      return answer.status === 503;
    };
    await eventually(down, 'the refusal for the cell that is down');
    assert.equal((await first.client.createPaymentRequest(NEW)).status, 'CREATED');
  });
});
