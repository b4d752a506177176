import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** More elements than a page of a payer can focus. */
const MOST_PRESSES = 40;

const FOCUSED = `(() => {
  const { activeElement: focused } = document;
  const named = focused.labels?.[0] ?? focused;
  return (focused.getAttribute('aria-label') ?? named.innerText).trim().split('\\n').at(-1);
})()`;

/** Presses a key until the element of this name has the focus. */
export async function pressUntil(page: Page, key: string, name: string): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    await page.keyboard.press(key);
    if ((await page.evaluate<string>(FOCUSED)) === name) return;
  }
  assert.fail(`${key} never came to ${name}`);
}

/** A stop of a person who hears a page: its name in quotes, or its text behind a colon. */
const STOP =
  /^\s*- '?(heading|radio|button|link|textbox|searchbox|img|group|term)(?: "([^"]*)"|: "?([^"]*))/;

/** The stops of a page in the order of its accessibility tree, as `heading Pay $12.34`. */
export async function readInOrder(page: Page): Promise<string[]> {
  const tree = await page.locator('body').ariaSnapshot();
  return tree.split('\n').flatMap((line) => {
    const [, role, name, text] = STOP.exec(line) ?? [];
    return role ? `${role} ${name ?? text}` : [];
  });
}
