import type { Page } from 'playwright-core';

/** How far the page can be moved sideways, in CSS pixels: 0 where it fits its window. */
export function overflowOf(page: Pick<Page, 'evaluate'>): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.body.clientWidth');
}
