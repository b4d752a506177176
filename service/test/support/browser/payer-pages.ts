import type { Language } from '#http/negotiation/choose-language.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { makePng } from '../make-png.ts';
import { type FakeNetwork, success } from '../payment-requests/fake-network.ts';
import { createPayer, type Payer, signInAddressOf } from '../payment-requests/payer.ts';
import type { Production } from '../service/production.ts';

/** A page that a payer can meet, and how a browser gets there. */
export interface MeetablePage {
  readonly name: string;
  readonly url: string;
  /** The cookies that the browser has been given before. */
  readonly cookies: readonly { name: string; value: string; domain: string; path: string }[];
  /** The text that was answered in each language, in place of the page at the address. */
  readonly answers?: Readonly<Record<Language, string>>;
}

/** The cookies of a payer, for a browser that goes on in its place. */
export function cookiesOf({ cookies }: Payer, url: string): MeetablePage['cookies'] {
  const { hostname: domain } = new URL(url);
  return [...cookies].map(([key, { value, path }]) => ({
    name: key.split(' ')[0] ?? '',
    value,
    domain,
    path,
  }));
}

/** The steps at the gateway, and where they lead; the payment requests are made for it. */
export async function meetGatewayPages(production: Production): Promise<MeetablePage[]> {
  const { service, createLink, cancel } = production;
  const pages: MeetablePage[] = [];

  function add(name: string, address: string, payer = createPayer(service)): void {
    const url = new URL(address, service.url).href;
    pages.push({ name, url, cookies: cookiesOf(payer, url) });
  }

  async function addDecided(name: string, username: string, decision = 'confirm') {
    const { paymentLink } = await createLink();
    const payer = createPayer(service);
    await payer.send(await payer.signIn(paymentLink, username), { decision });
    add(name, paymentLink, payer);
  }

  const fields = {
    displayMessage: `Order ${'of many things '.repeat(17)}`.slice(0, 250).trim(),
    invoiceNumber: 'INVOICE-WITHOUT-ANY-SPACE-'.padEnd(50, '0'),
  };
  const { paymentLink: alone } = await createLink(fields);
  const payer = createPayer(service);
  const choose = await payer.open(alone);
  add('choose', choose.address, payer);
  add('choose, nothing chosen', `${choose.address}?missing=1`, payer);
  add('choose, sign-in ended', `${choose.address}?ended=1`, payer);
  const { paymentLink } = await createLink(fields);
  const waiting = createPayer(service);
  add('choose, going on elsewhere', (await waiting.open(paymentLink)).address, waiting);
  const second = createPayer(service);
  const leaving = await second.send(await second.open(paymentLink), { institution: 'kestrel' });
  const signInAddress = signInAddressOf(leaving);
  const signIn = await second.open(signInAddress);
  add('sign in', signInAddress, second);
  const failed = await second.send(signIn, { username: 'wrong', password: 'demo' });
  add('sign in, failed', failed.address, second);
  const third = createPayer(service);
  add('confirm', (await third.signIn(paymentLink, 'approve')).address, third);

  await addDecided('paid', 'approve');
  await addDecided('in progress', 'slow');
  await addDecided('declined', 'approve', 'decline');
  await addDecided('institution asked', 'timeout');
  await addDecided('refused', 'funds');
  const stopping = createPayer(service);
  const { paymentLink: stopped } = await createLink();
  const told = await stopping.send(await stopping.signIn(stopped, 'funds'), {
    decision: 'confirm',
  });
  await stopping.send(told, { decision: 'stop' });
  add('failed', stopped, stopping);
  const { paymentLink: shared } = await createLink();
  const firstScreen = createPayer(service);
  const { address: left } = await firstScreen.open(shared);
  const phone = createPayer(service);
  await phone.send(await phone.signIn(shared, 'approve'), { decision: 'confirm' });
  add('paid on another device', (await firstScreen.open(left)).address);
  add('paid by another browser', shared);
  const cancelled = await createLink();
  await cancel(cancelled.id);
  add('cancelled', cancelled.paymentLink);
  add('awaited', `${(await createLink()).paymentLink}?returned=1`);
  const expired = await createLink();
  const { sql } = service.database;
  await sql('UPDATE payment_requests SET expires_at = created_at WHERE id = $1', [expired.id]);
  add('expired', expired.paymentLink);
  add('not found', '/pay/Unknown000000000');
  return pages;
}

/** The pages of a merchant with a profile and a way back, narrow names and all. */
export async function meetProfiledPages(production: Production): Promise<MeetablePage[]> {
  const { service, merchant, cancel } = production;
  const { merchantId } = merchant;
  await setProfile(
    { db: service.database.db, clock: service.clock, actor: 'test' },
    {
      merchantId,
      texts: {
        displayName: 'Harbour, the bookseller with the long name at the old harbour',
        supportEmail: 'help.with.every.order@a-long-host-name.shop.example',
        supportPhone: '+1 902 555 0199',
        website: 'https://shop.example/help/with/an/order/that/did/not/come',
        accentColour: '#2f7d4f',
      },
      logo: makePng(512, 120),
      remove: [],
    },
  );
  await service.database.sql("UPDATE merchants SET return_origins = '{https://shop.example}'");
  await service.advance(5);
  const createLink = () => production.createLink({ returnUrl: 'https://shop.example/orders/7' });
  const choose = await createPayer(service).open((await createLink()).paymentLink);
  const cancelled = await createLink();
  await cancel(cancelled.id);
  return [
    { name: 'choose, with a profile', url: new URL(choose.address, service.url).href, cookies: [] },
    { name: 'cancelled, with a profile', url: cancelled.paymentLink, cookies: [] },
  ];
}

/**
 * The pages that only another network than the simulated one leads to. That network is down
 * afterwards.
 */
export async function meetOtherPages(
  production: Production,
  network: FakeNetwork,
): Promise<MeetablePage[]> {
  const { createLink, cancel, service } = production;
  const late = await createLink();
  await cancel(late.id);
  await network.listener.report({
    paymentRequestId: late.id,
    outcome: success(),
    isRevocable: false,
  });
  const away = await createLink();
  network.behave('DOWN');
  const suspended = await service.createMerchant({ name: 'Closed Shop' });
  const { json } = await service.call('POST', '/v1/payment-requests', {
    headers: suspended.headers,
    body: { amount: 1, type: 'ECOMM', payer: { name: 'A', email: 'a@b.ca' } },
  });
  const { sql } = service.database;
  await sql("UPDATE merchants SET status = 'SUSPENDED', suspended_at = now() WHERE id = $1", [
    suspended.merchantId,
  ]);
  return [
    { name: 'paid late', url: late.paymentLink, cookies: [] },
    { name: 'suspended', url: json.paymentLink, cookies: [] },
    { name: 'network away', url: away.paymentLink, cookies: [] },
  ];
}
