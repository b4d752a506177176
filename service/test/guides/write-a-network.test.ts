import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { snippetNamed } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import { WALLET } from '../support/example-network/wallet-description.ts';
import {
  startWalletProvider,
  type WalletProvider,
} from '../support/example-network/wallet-provider.ts';
import { WALLET_SETTINGS } from '../support/example-network/wallet-settings.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLE = 'service/test/support/example-network';

/** Each code block of the guide, and the file of which it is a part. */
const BLOCKS = [
  ['network-interface.ts', 'service/src/e-transfer/e-transfer-network.ts'],
  ['network-limits.ts', 'service/src/e-transfer/e-transfer-network.ts'],
  ['network-report.ts', 'service/src/e-transfer/e-transfer-network.ts'],
  ['network-description.ts', 'service/src/e-transfer/network-description.ts'],
  ['wallet-description.ts', `${EXAMPLE}/wallet-description.ts`],
  ['wallet-settings.ts', `${EXAMPLE}/wallet-settings.ts`],
  ['wallet-network.ts', `${EXAMPLE}/wallet-network.ts`],
  ['wallet-calls.ts', `${EXAMPLE}/wallet-network.ts`],
  ['wallet-checks.ts', 'service/test/e-transfer/network-contract.test.ts'],
] as const;

describe('the guide to write a network', () => {
  let provider: WalletProvider;
  let production: Production;
  before(async () => {
    provider = await startWalletProvider();
    production = await startProduction({
      makeNetwork: await WALLET.load(provider.settings),
      settings: { CURRENCY: 'EUR' },
    });
  });
  after(async () => {
    await production?.stop();
    provider?.stop();
  });

  for (const [name, file] of BLOCKS) {
    it(`quotes ${file} in the block ${name}`, () => {
      assert.ok(readFileSync(`${ROOT}${file}`, 'utf8').includes(snippetNamed(name)));
    });
  }

  async function openedLink() {
    const link = await production.createLink();
    const answer = await createPayer(production.service).request(link.paymentLink);
    assert.equal(answer.headers.get('location'), `https://wallet.example/pay/${link.id}`);
    return link;
  }

  it('has an example that needs its key only where it is the configured network', () => {
    const values = new Map([['WALLET_KEY', null]]);
    assert.equal(WALLET_SETTINGS.findFaults(values, true).length, 1);
    assert.deepEqual(WALLET_SETTINGS.findFaults(values, false), []);
  });

  it('has an example whose callback makes a payment request PAID, once', async () => {
    const { id } = await openedLink();
    provider.pay(id);
    for (let time = 0; time < 2; time++) {
      assert.equal(await provider.callBack(id, production.service.url), 204);
    }
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
    assert.equal((await production.read(id)).payment.networkReference, `W-${id}`);
  });

  it('has an example that refuses a callback with a wrong signature', async () => {
    const { id } = await openedLink();
    provider.pay(id);
    assert.equal(await provider.callBack(id, production.service.url, 'another key'), 401);
    assert.deepEqual(await production.statusesOf(id), ['CREATED']);
  });

  it('has an example whose lost callback costs nothing: the service asks', async () => {
    const { id } = await openedLink();
    provider.pay(id);
    await production.service.advance(120);
    await eventually(async () => (await production.read(id)).status === 'PAID', 'PAID');
  });
});
