import {
  cancelTransferRequest,
  findTransferRequestOf,
  markTransferSent,
  markTransfersAnnounced,
} from '#e-transfer/bank-transfer/request-store.ts';
import { setAccount } from '#merchants/accounts/set-account.ts';
import type { MeetablePage } from '../browser/payer-pages.ts';
import { createPayer } from '../payment-requests/payer.ts';
import type { Production } from '../service/production.ts';
import { setTransferReceived } from './change-transfer.ts';
import { IBANS } from './transfer-network.ts';

/** Every state of a bank transfer's page; the payment requests are made for it. */
export async function meetTransferPages(production: Production): Promise<MeetablePage[]> {
  const { db, sql } = production.service.database;
  const pages: MeetablePage[] = [];

  async function add(
    name: string,
    change: (id: string, pageKey: string) => Promise<unknown> = async () => {},
  ): Promise<void> {
    const { id, paymentLink } = await production.createLink({
      displayMessage: `Order ${'of many things '.repeat(17)}`.slice(0, 250).trim(),
      invoiceNumber: 'INVOICE-WITHOUT-ANY-SPACE-'.padEnd(50, '0'),
    });
    const { address } = await createPayer(production.service).open(paymentLink);
    await change(id, (await findTransferRequestOf(db, id))?.pageKey ?? '');
    pages.push({ name, url: new URL(address, production.service.url).href, cookies: [] });
  }

  await add('transfer');
  await add('transfer, a part received', (id) => setTransferReceived(db, id, 500));
  await add('transfer, sent', (_id, pageKey) => markTransferSent(db, pageKey));
  await add('transfer, announced', (id) => markTransfersAnnounced(db, [id]));
  await add('transfer, more received', (id) => setTransferReceived(db, id, 999_999));
  await add('transfer, cancelled', (id) => cancelTransferRequest(db, id));
  await add('transfer, expired', (id) =>
    sql(
      'UPDATE bank_transfer_requests SET expires_at = service_now() WHERE payment_request_id = $1',
      [id],
    ),
  );
  // A version of its own: the pages above keep the account that they show.
  const deps = { db, clock: production.service.clock, actor: 'test' };
  const account = { holder: 'Harbour Books AG', iban: IBANS.german, bic: null };
  await setAccount(deps, production.merchant.merchantId, account);
  await add('transfer, account closed', () =>
    sql('UPDATE creditor_accounts SET closed_at = service_now() WHERE replaced_at IS NULL'),
  );
  return pages;
}
