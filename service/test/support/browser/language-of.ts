import type { Page } from 'playwright-core';

/**
 * The language that the page says it has. A locator would load Playwright's scripts into each page,
 * which takes 20 ms of CPU.
 */
export function languageOf(page: Pick<Page, 'evaluate'>): Promise<string> {
  return page.evaluate('document.documentElement.lang');
}
