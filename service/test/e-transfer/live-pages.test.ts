import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { type EventStream, openEventStream } from '../support/network/event-stream.ts';
import { startTcpProxy, type TcpProxy } from '../support/network/tcp-proxy.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import type { TestService } from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

let production: Production;
/** Another process that only answers calls. */
let api: TestService;

before(async () => {
  const settings = { TRUSTED_PROXIES: '127.0.0.1' };
  production = await startProduction({ settings });
  api = await startServiceBeside(production.service, { settings, roles: ['api'] });
});
after(async () => {
  await api.stop();
  await production.stop();
});

/** A payment that is in progress, and where its page asks. */
async function inProgress() {
  const link = await production.createLink();
  const payer = createPayer(production.service);
  const confirm = await payer.signIn(link.paymentLink, 'slow');
  const page = await payer.send(confirm, { decision: 'confirm' });
  const live = /data-live="([^"]+)"/.exec(page.html)?.[1] ?? '';
  return { ...link, live };
}

describe('an open page', () => {
  it('hears by an event, in every process, that the payment has ended', async () => {
    const { live } = await inProgress();
    const streams = await Promise.all([
      openEventStream(production.service.url + live),
      openEventStream(api.url + live),
    ]);
    for (const stream of streams) {
      assert.equal(stream.status, 200);
      assert.equal(stream.headers['content-type'], 'text/event-stream');
      assert.equal(stream.headers['cache-control'], 'no-store');
      assert.equal(stream.headers['x-accel-buffering'], 'no');
    }
    await eventually(() => streams.every((stream) => stream.text().includes('event: ready')));
    await production.service.advance(20);
    await Promise.all(streams.map(({ ended }) => ended));
    for (const stream of streams) assert.match(stream.text(), /event: changed\ndata: 1\n\n$/);
  });

  it('hears at once what it has missed', async () => {
    const { live } = await inProgress();
    const stream = await openEventStream(production.service.url + live.replace('seen=2', 'seen=1'));
    await stream.ended;
    assert.match(stream.text(), /event: changed/);
  });

  it('hears the same by asking', async () => {
    const { id, live } = await inProgress();
    const ask = async () => (await fetch(production.service.url + live)).json();
    assert.deepEqual(await ask(), { hasChanged: false });
    await production.service.advance(20);
    await eventually(async () => (await production.read(id)).status === 'PAID');
    await eventually(async () => ((await ask()) as { hasChanged: boolean }).hasChanged);
  });

  it('at the gateway hears what another device does, also in another process', async () => {
    const { paymentLink } = await production.createLink();
    const computer = createPayer(api);
    const choose = await computer.open(paymentLink);
    const live = /data-live="([^"]+)"/.exec(choose.html)?.[1] ?? '';
    const stream = await openEventStream(api.url + live);
    const phone = createPayer(production.service);
    const confirm = await phone.signIn(paymentLink, 'approve');
    await phone.send(confirm, { decision: 'confirm' });
    await stream.ended;
    assert.match(stream.text(), /event: changed/);
    const shown = await computer.open(choose.address);
    assert.equal(shown.title, 'Paid on your other device');
  });

  it('at the gateway hears that the merchant cancels', async () => {
    const { id, paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const choose = await payer.open(paymentLink);
    const live = /data-live="([^"]+)"/.exec(choose.html)?.[1] ?? '';
    const stream = await openEventStream(production.service.url + live);
    await production.cancel(id);
    await stream.ended;
    const shown = await payer.open(choose.address);
    assert.equal(shown.title, 'This payment request was cancelled');
  });

  it('hears nothing of an id that does not exist, by stream or by asking', async () => {
    for (const path of [
      '/pay/live/nothing',
      `/pay/live/${randomUUID()}`,
      `/gateway/${'x'.repeat(22)}/live`,
    ]) {
      for (const accept of ['text/event-stream', 'application/json']) {
        const headers = { accept, 'x-forwarded-for': '192.0.2.100' };
        const answer = await fetch(`${production.service.url}${path}?seen=1`, { headers });
        assert.equal(answer.status, 404, `${path} ${accept}`);
        assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
        assert.match(await answer.text(), /"code":"ROUTE_NOT_FOUND"/);
      }
    }
  });

  it('still follows and asks while its own address asks for 1,000 unknown ids', async () => {
    const { id, live } = await inProgress();
    const choose = await createPayer(api).open((await production.createLink()).paymentLink);
    const gatewayLive = /data-live="([^"]+)"/.exec(choose.html)?.[1] ?? '';
    const headers = { accept: 'application/json', 'x-forwarded-for': '192.0.2.101' };
    const statuses: number[] = [];
    for (let first = 0; first < 1_000; first += 50) {
      const batch = Array.from({ length: 50 }, async (_, index) => {
        const gatewayId = `${'x'.repeat(18)}${1_000 + first + index}`;
        const path = index % 2 === 0 ? `/pay/live/${randomUUID()}` : `/gateway/${gatewayId}/live`;
        return (await fetch(api.url + path, { headers })).status;
      });
      statuses.push(...(await Promise.all(batch)));
    }
    // 20 of each route, then no more.
    assert.equal(statuses.filter((status) => status === 404).length, 40);
    assert.equal(statuses.filter((status) => status === 429).length, 960);

    const asked = await fetch(api.url + gatewayLive, { headers });
    assert.deepEqual(await asked.json(), { hasChanged: false });
    const stream = await openEventStream(api.url + live, { 'x-forwarded-for': '192.0.2.101' });
    assert.equal(stream.status, 200);
    await production.service.advance(20);
    await eventually(async () => (await production.read(id)).status === 'PAID');
    await stream.ended;
    assert.match(stream.text(), /event: changed/);
  });
});

describe('thousands of open pages', () => {
  const PAGES = 2_000;
  /** The pages show so many payment requests; reading them all takes several statements. */
  const SHOWN = 600;
  const QUIET_MS = 2_000;
  /** Everything is read again so often, 500 payment requests a statement. */
  const SWEEP_MS = 15_000;
  const STATEMENTS_OF_A_SWEEP = 2;
  let proxy: TcpProxy;
  let crowded: TestService;

  before(async () => {
    const { database } = production.service;
    proxy = await startTcpProxy(database.address);
    const DATABASE_URL = database.urlAt(proxy.port);
    const settings = { TRUSTED_PROXIES: '127.0.0.1', DATABASE_URL };
    // This process only answers calls: its statements come from pages.
    crowded = await startServiceBeside(production.service, { settings, roles: ['api'] });
  });
  after(async () => {
    await crowded.stop();
    await proxy.close();
  });

  it('cost the database nothing while nothing changes, and hear what does', async () => {
    const { id, live } = await inProgress();
    const links = await Promise.all(Array.from({ length: SHOWN }, () => production.createLink()));
    const others = links.map((link) => `/pay/live/${link.id}?seen=1`);
    const streams: EventStream[] = [];
    // Each page has an address of its own; every hundredth shows the same payment.
    for (let first = 0; first < PAGES; first += 100) {
      const batch = Array.from({ length: 100 }, (_, index) => {
        const path = index === 0 ? live : `${others[(first + index) % SHOWN]}`;
        const headers = { 'x-forwarded-for': `198.51.${first / 100}.${index}` };
        return openEventStream(crowded.url + path, headers);
      });
      streams.push(...(await Promise.all(batch)));
    }
    assert.ok(streams.every(({ status }) => status === 200));

    // First the readings for new pages end; then a sweep may fall in.
    let before = proxy.statements();
    await eventually(async () => {
      await wait(QUIET_MS / 2);
      const isQuiet = proxy.statements() - before <= STATEMENTS_OF_A_SWEEP;
      before = proxy.statements();
      return isQuiet;
    }, 'the end of the readings');
    const startedMs = performance.now();
    await wait(QUIET_MS);
    // A slow machine waits for longer.
    const sweeps = 1 + Math.floor((performance.now() - startedMs) / SWEEP_MS);
    const found = proxy.statements() - before;
    assert.ok(found <= sweeps * STATEMENTS_OF_A_SWEEP, `${found} statements`);

    await production.service.advance(20);
    await eventually(async () => (await production.read(id)).status === 'PAID');
    const followers = streams.filter((_, index) => index % 100 === 0);
    await Promise.all(followers.map(({ ended }) => ended));
    for (const stream of followers) assert.match(stream.text(), /event: changed/);
    for (const stream of streams) stream.close();
  });

  const liveUrl = async () =>
    `${crowded.url}/pay/live/${(await production.createLink()).id}?seen=1`;

  it('with one address are five hundred at most; the next one polls', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const urls = await Promise.all(Array.from({ length: 30 }, liveUrl));
    const url = urls[0] ?? '';
    const opened = await Promise.all(
      Array.from({ length: 510 }, (_, index) =>
        openEventStream(urls[index % urls.length] ?? '', headers),
      ),
    );
    const streams = opened.filter(({ status }) => status === 200);
    assert.equal(streams.length, 500);
    const refused = await openEventStream(url, headers);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '30');
    const polled = await fetch(url, { headers });
    assert.deepEqual(await polled.json(), { hasChanged: false });
    streams[0]?.close();
    await eventually(async () => {
      const again = await openEventStream(url, headers);
      again.close();
      return again.status === 200;
    }, 'a free place');
    for (const stream of streams) stream.close();
  });

  it('are twenty at most for a payment request, from all addresses; others still stream', async () => {
    const from = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}` });
    const [url, other] = [await liveUrl(), await liveUrl()];
    const opened = await Promise.all(
      Array.from({ length: 22 }, (_, index) => openEventStream(url, from(index))),
    );
    const statuses = opened.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(20).fill(200), 503, 503]);
    const another = await openEventStream(other, from(1));
    assert.equal(another.status, 200);
    for (const stream of [...opened, another]) stream.close();
  });

  it('do not hold up the end of their process', async () => {
    const one = await startServiceBeside(production.service, { roles: ['api'] });
    const { id } = await production.createLink();
    const stream = await openEventStream(`${one.url}/pay/live/${id}?seen=1`);
    await one.stop();
    await stream.ended;
  });
});
