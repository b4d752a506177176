import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Grant, Role } from '#console/model/roles.ts';
import { startPersonSession } from '../approvals/person-session.ts';
import { openVisitor } from '../browser/browser.ts';
import type { TestService } from '../service/service.ts';

/** A person at work: each click counts, and so does Enter. */
export interface Worker {
  readonly page: Page;
  readonly main: Locator;
  click(target: Locator): Promise<void>;
  /** Types into the search, and presses Enter. */
  search(text: string): Promise<void>;
}

/** A task of a day, as the review of the console counted it. */
export interface Task {
  readonly who: Role;
  /** The page where the task begins, with the id of the merchant as `:merchant`. */
  readonly from: string;
  /** The most clicks. */
  readonly most: number;
  /** Happens before the person comes. */
  readonly prepare?: () => Promise<void>;
  readonly run: (worker: Worker) => Promise<void>;
}

/** Does a task in a browser of its own, and asserts that it takes no more clicks than it may. */
export async function performTask(
  browser: Browser,
  service: TestService,
  merchantId: string,
  { who, from, most, prepare, run }: Task,
): Promise<void> {
  await prepare?.();
  const grant = { role: who, merchantId: who === 'operator' ? null : merchantId } as Grant;
  const person = { subject: who, name: `Ada ${who}`, grants: [grant] };
  const visitor = await openVisitor(browser, service.url, { acceptDownloads: true });
  const { page } = visitor;
  const value = await startPersonSession(service, person);
  await page.context().addCookies([{ name: 'console', value, url: service.url }]);
  await page.goto(service.url + from.replace(':merchant', merchantId));
  let clicks = 0;
  await run({
    page,
    main: page.getByRole('main'),
    async click(target) {
      clicks += 1;
      await target.click();
    },
    async search(text) {
      clicks += 1;
      await page.getByRole('searchbox').fill(text);
      await page.keyboard.press('Enter');
    },
  });
  assert.ok(clicks <= most, `${clicks} clicks`);
  assert.deepEqual(visitor.faults, []);
  await visitor.close();
}
