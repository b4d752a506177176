import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { makePng } from '../support/make-png.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import {
  type CreatedLink,
  type Production,
  startProduction,
} from '../support/service/production.ts';

const SHORT_CODE = /^c2-[0-9A-Za-z]{16}$/;

describe('the payer’s journey in a cell', () => {
  let cell: Production;
  let first: Production;
  let link: CreatedLink;
  let foreign: CreatedLink;

  before(async () => {
    cell = await startProduction({ settings: { CELL: '2' } });
    first = await startProduction();
    link = await cell.createLink();
    foreign = await first.createLink();
  });
  after(() => Promise.all([cell?.stop(), first?.stop()]));

  it('begins short code, link and QR code with the mark', async () => {
    assert.match(link.shortCode, SHORT_CODE);
    assert.equal(link.paymentLink, `https://pay.test/pay/${link.shortCode}`);
    assert.equal(link.qrCodeLink, `https://pay.test/pay/qr/${link.shortCode}`);
    assert.equal((await createPayer(cell.service).request(link.qrCodeLink)).status, 200);
    const { data } = (await cell.call('GET', `/v1/payment-requests?shortCode=${link.shortCode}`))
      .json;
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [link.id],
    );
    assert.match(foreign.shortCode, /^[0-9A-Za-z]{16}$/);
  });

  it('keeps the mark in every address until the payment is PAID', async () => {
    const payer = createPayer(cell.service);
    const pasted = await payer.request(`/pay/${link.shortCode}).`);
    assert.equal(pasted.headers.get('location'), `/pay/${link.shortCode}`);
    const confirm = await payer.signIn(link.paymentLink, 'slow');
    assert.match(confirm.address, /^\/gateway\/c2-[0-9A-Za-z]{22}\//);
    const shown = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(shown.address, `/pay/${link.shortCode}?returned=1`);
    const [, live = ''] = /data-live="([^"]+)"/.exec(shown.html) ?? [];
    assert.match(live, new RegExp(`^/pay/live/c2-${link.id}\\?seen=\\d+$`));
    assert.deepEqual(await (await payer.request(live)).json(), { hasChanged: false });
    for (const script of shown.html.matchAll(/src="([^"]+)"/g)) {
      assert.match(script[1] ?? '', /^\/page-scripts\/c2-/);
      assert.equal((await payer.request(script[1] ?? '')).status, 200, script[1]);
    }
    for (const { path } of payer.cookies.values()) {
      assert.match(path, /^(\/gateway|\/gateway\/c2-\w+|\/pay\/c2-\w+)$/);
    }
  });

  it('answers 404 to live updates under another mark, also for an id that exists', async () => {
    const payer = createPayer(cell.service);
    for (const mark of ['', 'c1-', 'c3-', 'c22-', 'C2-']) {
      assert.equal((await payer.request(`/pay/live/${mark}${link.id}?seen=0`)).status, 404, mark);
    }
    const other = createPayer(first.service);
    assert.equal((await other.request(`/pay/live/${foreign.id}?seen=0`)).status, 200);
    assert.equal((await other.request(`/pay/live/c2-${foreign.id}?seen=0`)).status, 404);
  });

  it('shows the logo of a merchant at an address with the mark', async () => {
    const { service, merchant } = cell;
    const { db } = service.database;
    const deps = { db, clock: service.clock, actor: 'test' };
    const logo = makePng(64, 64);
    await setProfile(deps, { merchantId: merchant.merchantId, texts: {}, logo, remove: [] });
    const payer = createPayer(service);
    const page = await payer.open((await cell.createLink()).paymentLink);
    const [, address = ''] = /src="([^"]*merchant-logos[^"]+)"/.exec(page.html) ?? [];
    assert.match(address, /\/merchant-logos\/c2-[0-9a-f]{64}\.png$/);
    assert.equal((await payer.request(address)).status, 200);
    for (const mark of ['', 'c3-']) {
      assert.equal((await payer.request(address.replace('c2-', mark))).status, 404);
    }
  });

  it('answers 404 to codes and pages of another cell, with or without a mark', async () => {
    const own = createPayer(cell.service);
    const other = createPayer(first.service);
    const bare = link.shortCode.replace('c2-', '');
    for (const [payer, code] of [
      [own, foreign.shortCode],
      [own, `c2-${foreign.shortCode}`],
      [own, bare],
      [own, `c3-${bare}`],
      [other, link.shortCode],
      [other, bare],
      [other, `c2-${foreign.shortCode}`],
      [other, `c1-${foreign.shortCode}`],
    ] as const) {
      assert.equal((await payer.request(`/pay/${code}`)).status, 404, code);
      assert.equal((await payer.request(`/pay/qr/${code}`)).status, 404, code);
    }
    const gateway = (await other.open(foreign.paymentLink)).address.split('/')[2] ?? '';
    assert.match(gateway, /^[0-9A-Za-z]{22}$/);
    for (const [payer, id] of [
      [own, gateway],
      [own, `c2-${gateway}`],
      [other, `c2-${gateway}`],
    ] as const) {
      assert.equal((await payer.request(`/gateway/${id}/choose`)).status, 404, id);
      assert.equal((await payer.request(`/gateway/${id}/live?seen=0`)).status, 404, id);
    }
  });

  it('answers 401 and 404 to keys and ids of another cell', async () => {
    const { service, merchant } = cell;
    const headers = { ...merchant.headers, 'x-api-key': first.merchant.apiKey };
    const refused = await service.call('GET', `/v1/payment-requests/${link.id}`, { headers });
    assert.deepEqual([refused.status, refused.json.code], [401, 'API_KEY_INVALID']);
    const unknown = await cell.call('GET', `/v1/payment-requests/${foreign.id}`);
    assert.deepEqual([unknown.status, unknown.json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
    const listed = await cell.call('GET', `/v1/payment-requests?shortCode=${foreign.shortCode}`);
    assert.deepEqual([listed.status, listed.json.data], [200, []]);
    const malformed = await cell.call('GET', '/v1/payment-requests?shortCode=c1-abcdefghABCDEFGH');
    assert.equal(malformed.status, 400);
    assert.match(malformed.json.errors[0].message, /16 letters and digits, behind the mark/);
  });
});
