import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Grant } from '#console/model/roles.ts';
import { APPROVALS_ON } from '../../support/approvals/approving.ts';
import { startPersonSession } from '../../support/approvals/person-session.ts';
import { looksOf } from '../../support/browser/axe.ts';
import { startBrowsable } from '../../support/browser/browsable.ts';
import {
  openVisitor,
  startBrowser,
  type Visitor,
  WITHOUT_BROWSER,
} from '../../support/browser/browser.ts';
import { createFakeNetwork, success } from '../../support/payment-requests/fake-network.ts';
import type { Production } from '../../support/service/production.ts';

const OPERATOR: Grant = { role: 'operator', merchantId: null };

describe('two people', { skip: WITHOUT_BROWSER }, () => {
  const network = createFakeNetwork();
  let browser: Browser;
  let production: Production;
  let references = 0;

  before(async () => {
    browser = await startBrowser();
    production = await startBrowsable({
      makeNetwork: network.make,
      settings: { ...APPROVALS_ON, APPROVAL_REFUNDS_ABOVE: '10.00' },
    });
  });
  after(async () => {
    await browser?.close();
    await production?.stop();
  });

  /** A browser of its own, in which a person of the identity provider has signed in. */
  async function signedIn(name: string, grant: Grant): Promise<Visitor> {
    const { service } = production;
    const subject = name.toLowerCase();
    const value = await startPersonSession(service, { subject, name, grants: [grant] });
    const visitor = await openVisitor(browser, service.url);
    await visitor.page.context().addCookies([{ name: 'console', value, url: service.url }]);
    return visitor;
  }

  /** A payment request of 12.34 for which this money has arrived. */
  async function receive(amountCents: number): Promise<string> {
    const { id } = await production.createLink();
    const outcome = success({ amountCents, networkReference: `REF-${++references}` });
    await network.listener.report({ paymentRequestId: id, outcome, isRevocable: false });
    return id;
  }

  /** Every width and scheme, by all of axe's rules. */
  async function assertAccessible({ page }: Visitor): Promise<void> {
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }
  }

  async function close(...visitors: Visitor[]): Promise<void> {
    for (const { faults, close: end } of visitors) {
      assert.deepEqual(faults, []);
      await end();
    }
  }

  it('accept a case: a customer paid one cent short', async () => {
    const id = await receive(1233);
    const { database, url } = production.service;
    const [open] = await database.sql<{ id: string }>(
      'SELECT id FROM operator_cases WHERE payment_request_id = $1',
      [id],
    );
    const [ada, bob] = [await signedIn('Ada', OPERATOR), await signedIn('Bob', OPERATOR)];
    await ada.page.goto(`${url}/console/operator/cases/${open?.id}`);
    await ada.page.getByRole('link', { name: 'Accept', exact: true }).click();
    await ada.page.getByRole('button', { name: 'Accept the money' }).click();
    await ada.page.goto(`${url}/console/approvals`);
    await ada.page.getByRole('link', { name: 'Accept a case' }).click();
    await ada.page.getByText('You have proposed it: another person must approve it.').waitFor();
    assert.equal(await ada.page.getByRole('button', { name: 'Approve' }).count(), 0);
    assert.equal((await production.read(id)).status, 'CREATED');

    await bob.page.goto(ada.page.url());
    await bob.page.getByRole('row', { name: 'Received $0.00 $12.33' }).waitFor();
    await assertAccessible(bob);
    await bob.page.getByRole('button', { name: 'Approve' }).click();
    await bob.page.getByText('Approved and done.').waitFor();
    assert.equal((await production.read(id)).status, 'PAID');
    // The payment request tells both names.
    await bob.page.getByRole('link', { name: 'Open the payment request' }).click();
    await bob.page
      .getByText(/^Bob and Ada /)
      .first()
      .waitFor();
    await close(ada, bob);
  });

  it('refund half alone, and the other half together', async () => {
    const id = await receive(1234);
    const { merchantId } = production.merchant;
    const ada = await signedIn('Ada', { role: 'finance', merchantId });
    const { page } = ada;
    await page.goto(`${production.service.url}/console/m/${merchantId}/payment-requests/${id}`);
    await page.getByRole('link', { name: 'Refund', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Give money back' }).waitFor();
    await page.getByLabel('Half of it, $6.17').check();
    await page.getByRole('button', { name: 'Refund $6.17' }).click();
    await page.getByText(/^\$6\.17 is on its way to /).waitFor();
    const { refundSummary } = await production.read(id);
    assert.deepEqual([refundSummary.amountAvailable, refundSummary.status], [6.17, 'PENDING']);

    await page.getByRole('link', { name: 'Refund', exact: true }).click();
    await page.getByLabel('All of it, $6.17').check();
    await page.getByRole('button', { name: 'Propose a refund of $6.17' }).click();
    await page.getByText('Proposed. Nothing has happened yet').waitFor();
    const bob = await signedIn('Bob', { role: 'administrator', merchantId });
    await bob.page.goto(`${production.service.url}/console/approvals`);
    await bob.page.getByRole('link', { name: 'Refund', exact: true }).click();
    await bob.page.getByRole('button', { name: 'Approve' }).click();
    await bob.page.getByText('Approved and done.').waitFor();
    assert.equal((await production.read(id)).refundSummary.amountAvailable, 0);
    await close(ada, bob);
  });
});
