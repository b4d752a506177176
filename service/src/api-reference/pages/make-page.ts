import type { Page } from '#http/pages/page.ts';
import { Problem } from '#lib/problem.ts';
import type { Overview } from './layout.ts';

const OVERVIEW = '';
/** The name of the page that sends calls, in a sandbox only. */
export const TRY = 'try';

/**
 * Makes the page of a name under /docs: empty for the overview, else the operationId of a call.
 * Renderers are loaded only when a reader comes: they cost memory.
 *
 * @throws Problem ROUTE_NOT_FOUND
 */
export async function makePage(all: Overview, name: string): Promise<Page> {
  if (name === OVERVIEW) return (await import('./overview-page.ts')).overviewPage(all);
  if (name === TRY && all.isSandbox) return (await import('./try-page.ts')).tryPage(all);
  const entry = all.entries.find(({ id }) => id === name);
  if (entry === undefined) throw new Problem('ROUTE_NOT_FOUND');
  return (await import('./operation-page.ts')).operationPage(all, entry);
}
