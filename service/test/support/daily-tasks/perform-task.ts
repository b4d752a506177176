import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Grant, Role } from '#console/model/roles.ts';
import { startPersonSession } from '../approvals/person-session.ts';
import { openVisitor } from '../browser/browser.ts';
import type { TestService } from '../service/service.ts';

/** A person at work with the keyboard alone: each press of a link or button counts. */
export interface Worker {
  readonly page: Page;
  readonly main: Locator;
  /** Moves the focus by Tab to a control that shows it, and presses it. */
  click(target: Locator): Promise<void>;
  /** Moves the focus to a field, and writes into it. */
  write(target: Locator, text: string): Promise<void>;
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
      const isRadio = await walkTo(page, target);
      if (!isRadio) return page.keyboard.press('Enter');
      for (let step = 0; step < MOST_RADIOS && !(await target.isChecked()); step += 1) {
        await page.keyboard.press('ArrowDown');
      }
      assert.ok(await target.isChecked());
    },
    write: (target, text) => write(page, target, text),
    async search(text) {
      clicks += 1;
      await write(page, page.getByRole('searchbox'), text);
      await page.keyboard.press('Enter');
    },
  });
  assert.ok(clicks <= most, `${clicks} clicks`);
  assert.deepEqual(visitor.faults, []);
  await visitor.close();
}

/** Past the skip link there are as many controls before a row in the middle of a full list. */
const MOST_TABS = 100;
const MOST_RADIOS = 10;

/** A line around the element that has the focus, or around all that it stands for. */
const IS_FOCUS_SEEN = `[null, '::after'].some((part) =>
  getComputedStyle(document.activeElement, part).outlineStyle !== 'none')`;

/** @returns whether the target is a radio button, which arrow keys choose */
async function walkTo(page: Page, target: Locator): Promise<boolean> {
  const isRadio = (await target.getAttribute('type')) === 'radio';
  const isInMain = (await target.locator('xpath=ancestor::main').count()) > 0;
  // The focus is on one radio button of a group.
  const reached = isRadio
    ? page.locator('input[type=radio]:focus')
    : target.and(page.locator(':focus'));
  for (let step = 0; step < MOST_TABS; step += 1) {
    if ((await reached.count()) > 0) {
      assert.ok(await page.evaluate(IS_FOCUS_SEEN), `the focus is not seen on ${target}`);
      return isRadio;
    }
    const isAtSkip = isInMain && (await page.locator('.skip:focus').count()) > 0;
    await page.keyboard.press(isAtSkip ? 'Enter' : 'Tab');
  }
  throw new assert.AssertionError({ message: `${MOST_TABS} times Tab did not lead to ${target}` });
}

async function write(page: Page, target: Locator, text: string): Promise<void> {
  await walkTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}
