import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { notifyOfTransferChanges } from '#e-transfer/bank-transfer/request-store.ts';
import { markTransferPaid, setTransferReceived } from '../support/bank-transfer/change-transfer.ts';
import { IBANS } from '../support/bank-transfer/transfer-network.ts';
import { startTransferProduction } from '../support/bank-transfer/transfer-production.ts';
import {
  openVisitor,
  startBrowser,
  type Visitor,
  WITHOUT_BROWSER,
} from '../support/browser/browser.ts';
import { pressUntil, readInOrder } from '../support/browser/keyboard.ts';
import type { Production } from '../support/service/production.ts';

const naturalWidth = (image: { naturalWidth?: number }) => image.naturalWidth ?? 0;
const NARROW = { viewport: { width: 320, height: 640 } } as const;

describe('a payer’s browser at a bank transfer', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let production: Production;

  before(async () => {
    browser = await startBrowser();
    production = await startTransferProduction({ start: new Date() });
  });
  after(async () => {
    await browser?.close();
    await production?.stop();
  });

  /** Lets a browser of its own work, and holds it to asking and breaking nothing. */
  async function visit(
    work: (visitor: Visitor) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const visitor = await openVisitor(browser, production.service.url, options);
    try {
      await work(visitor);
      assert.deepEqual(visitor.faults, []);
    } finally {
      await visitor.close();
    }
  }

  const shows = (page: Page, heading: string) =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();

  it('copies the plain values, says that it was sent, and follows the money live', async () => {
    const { id, paymentLink } = await production.createLink({ amount: 100 });
    const { db } = production.service.database;
    const permissions = ['clipboard-read', 'clipboard-write'];
    await visit(
      async ({ page }) => {
        await page.goto(paymentLink);
        await shows(page, 'Transfer €100.00 to Harbour Books');
        await pressUntil(page, 'Tab', 'Copy the IBAN');
        await page.keyboard.press('Enter');
        await page.getByText('Copied: IBAN').waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), IBANS.german);
        await pressUntil(page, 'Tab', 'Copy the reference');
        await page.keyboard.press('Enter');
        await page.getByText('Copied: Reference').waitFor();
        const reference = await page.locator('[data-reference]').getAttribute('data-reference');
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), reference);
        assert.deepEqual(await readInOrder(page), [
          'group Language: English',
          'heading Transfer €100.00 to Harbour Books',
          'group Two books · INV-77 Details',
          'link Save the QR image',
          'group Show the QR code',
          'heading Transfer details',
          'button Copy all',
          'term Account holder',
          'button Copy the account holder',
          'term IBAN',
          'button Copy the IBAN',
          'term Amount',
          'button Copy the amount',
          'term Reference',
          'button Copy the reference',
          'button I have sent it',
        ]);
        await pressUntil(page, 'Tab', 'I have sent it');
        await page.keyboard.press('Enter');
        await shows(page, 'Waiting for €100.00 to arrive');
        await notifyOfTransferChanges(db, await setTransferReceived(db, id, 4_000));
        await shows(page, 'Transfer the remaining €60.00 to Harbour Books');
        await page.getByText('Received €40.00 of €100.00').waitFor();
        const paid = await markTransferPaid(db, id, {
          state: 'SUCCEEDED',
          amountCents: 10_000,
          currency: 'EUR',
          institution: 'Payer Bank',
          networkReference: `BANK-${id}`,
          completedAt: new Date(),
        });
        await notifyOfTransferChanges(db, paid);
        // The payment link shows the final page; no statement has made it PAID here.
        await page.waitForURL(`${paymentLink}?returned=1`);
      },
      { ...NARROW, permissions },
    );
  });

  it('shows the IBAN on the first screen of the payment window', async () => {
    const viewport = { width: 480, height: 760 };
    const fields = { displayMessage: 'Order 1267', invoiceNumber: 'INV-1267' };
    const { paymentLink } = await production.createLink(fields);
    await visit(
      async ({ page }) => {
        await page.goto(paymentLink);
        const box = await page.locator('#iban').boundingBox();
        assert.ok(box && box.y + box.height <= viewport.height, `it ends at ${box?.y}`);
      },
      { viewport },
    );
  });

  it('saves the QR image', async () => {
    const { paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await page.goto(paymentLink);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save the QR image' }).click();
      assert.equal((await download).suggestedFilename(), 'transfer.png');
      const width = await page.locator('.code:visible').evaluate(naturalWidth);
      assert.ok(width > 200);
    });
  });

  it('works without script, in French, at 320 px', async () => {
    const { paymentLink } = await production.createLink({ amount: 100 });
    await visit(
      async ({ page }) => {
        await page.goto(paymentLink);
        await shows(page, 'Virer 100,00 € à Harbour Books');
        assert.equal(await page.locator('[data-copy]:visible').count(), 0);
        assert.match((await page.locator('#iban').textContent()) ?? '', /DE89 3704 0044/);
        await page.getByRole('button', { name: 'J’ai envoyé le virement' }).click();
        await shows(page, 'En attente de 100,00 €');
        await page.getByText('Afficher de nouveau les coordonnées').click();
        await page.locator('#reference').waitFor();
        assert.ok(await page.getByRole('link', { name: 'Vérifier de nouveau' }).isVisible());
      },
      { ...NARROW, locale: 'fr-CA', javaScriptEnabled: false },
    );
  });
});
