import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createSignInLink, linkAddress } from '#console/sign-in/links.ts';
import { looksOf } from '../../support/browser/axe.ts';
import { browsableSettings } from '../../support/browser/browsable.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';

describe('a one-time link in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let service: TestService;
  before(async () => {
    browser = await startBrowser();
    service = await startTestService({ settings: await browsableSettings() });
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const makeLink = async () => {
    const { token } = await createSignInLink(
      { db: service.database.db, clock: service.clock },
      { name: 'Ada', grant: { role: 'operator', merchantId: null }, actor: 'test' },
    );
    return linkAddress(service.url, token);
  };

  it('signs in by the button, and leaves the address bar and its history', async () => {
    const { page, faults, close } = await openVisitor(browser, service.url);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.url()} ${request.headers().referer}`));
    const link = await makeLink();
    await page.goto(link);
    await page.waitForURL((url) => url.hash === '');
    assert.ok(await page.getByLabel('One-time link').isHidden());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/console`);
    assert.ok(!requests.join('\n').includes(link.slice(-43)));
    await page.goto(`${service.url}/console/operator/sessions`);
    assert.ok(await page.getByRole('button', { name: 'End the session of Ada' }).isVisible());
    assert.deepEqual(faults, []);
    await close();
  });

  it('is pasted where no script runs', async () => {
    const { page, close } = await openVisitor(browser, service.url, { javaScriptEnabled: false });
    const link = await makeLink();
    await page.goto(link);
    await page.getByLabel('One-time link').fill(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/console`);
    await close();
  });

  it('has pages that axe finds nothing in', async () => {
    const { page, close } = await openVisitor(browser, service.url);
    for (const path of ['/sign-in?fault=NO_ROLE', '/sign-in/link']) {
      await page.goto(`${service.url}/console${path}`);
      for await (const look of looksOf(page)) {
        assert.deepEqual(await look.violations(), [], `${path}, ${look.name}`);
      }
    }
    await close();
  });
});
