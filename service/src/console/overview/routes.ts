import { html } from 'ghtml';
import { checklist } from '#console/checklist/checklist.ts';
import { emptyState } from '#console/components/parts.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { ALL_MERCHANTS_PAGE, followCounters } from '#counters/follow-counters.ts';
import type { CounterSums } from '#counters/model/counters.ts';
import { SPANS, type SpanName } from '#counters/model/slots.ts';
import { type Overview, readMerchantsToday, readOverview } from '#counters/read-overview.ts';
import { namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { countMessages } from '#messages/read/list-messages.ts';
import { readAllWebhooks, readMerchantWebhooks } from '#webhooks/health/read-health.ts';
import { history, merchantsToday, spanTabs, todayCards } from './render-figures.ts';
import { allWebhooks, merchantWebhookCards, messageCards } from './render-webhooks.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** The overviews of one merchant and of all merchants, which follow what happens. */
export function registerOverviewPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page('/m/:merchant/overview', 'overview.read', showMerchant);
  routes.page('/operator/overview', 'operator.overview.read', showAll);
  const pages = followCounters(deps);
  routes.live({
    path: '/m/:merchant/overview/live',
    action: 'overview.read',
    pages,
    idOf: ({ merchantId }) => merchantId,
  });
  routes.live({
    path: '/operator/overview/live',
    action: 'operator.overview.read',
    pages,
    idOf: () => ALL_MERCHANTS_PAGE,
  });
}

/** The primary answers: a page from a replica could be older than the change that it follows. */
async function showMerchant(deps: ConsoleDeps, visit: Visit): Promise<ConsolePage> {
  const { db } = deps;
  const { merchantId } = visit;
  const span = readSpan(visit);
  const overview = await readOverview(db, { ...visitedTime(visit), merchantId, span });
  const health = await readMerchantWebhooks(db, merchantId);
  const messages = await countMessages(db, merchantId);
  const { text } = OVERVIEW_TEXTS[visit.language];
  const developer = `/console/m/${merchantId}/developer`;
  const nextStep = html`<p><a href="${developer}">${text('emptyNext')}</a></p>`;
  const figures = await renderFigures(visit, overview, span, nextStep);
  const steps = hasNothing(overview) ? await checklist(deps, visit, merchantId, 'new') : '';
  const parts = steps
    ? [steps, emptyState(text('emptyNew'), nextStep)]
    : [
        todayCards(visit, overview),
        merchantWebhookCards(visit, health),
        messageCards(visit, messages),
        figures,
      ];
  const live = `/console/m/${merchantId}/overview/live`;
  return renderPage(visit, overview, { title: text('title'), live, parts });
}

/** Zeros alone: of the shown span, of today, and of the day before. */
function hasNothing({ span, today, yesterday }: Overview): boolean {
  return [span, today.sums, yesterday].every(isZero);
}

const isZero = (sums: CounterSums) => Object.values(sums).every((sum) => sum === 0);

async function showAll({ db }: ConsoleDeps, visit: Visit): Promise<ConsolePage> {
  const span = readSpan(visit);
  const overview = await readOverview(db, { ...visitedTime(visit), merchantId: null, span });
  const latest = await readMerchantsToday(db, overview);
  const names = await namesOfMerchants(
    db,
    latest.map(({ merchantId }) => merchantId),
  );
  const health = await readAllWebhooks(db);
  const figures = await renderFigures(visit, overview, span, '');
  const cards = todayCards(visit, overview) + merchantsToday(visit, overview, latest, names);
  const parts = [cards, allWebhooks(visit, health), figures];
  const live = '/console/operator/overview/live';
  const title = OVERVIEW_TEXTS[visit.language].text('titleAll');
  return renderPage(visit, overview, { title, live, parts });
}

function visitedTime({ now, timeZone }: Visit) {
  return { now, timeZone };
}

function readSpan({ query }: Visit): SpanName {
  const asked = query.get('span');
  return asked !== null && Object.hasOwn(SPANS, asked) ? (asked as SpanName) : '24h';
}

async function renderFigures(
  visit: Visit,
  overview: Overview,
  span: SpanName,
  nextStep: string,
): Promise<string> {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const shown = isZero(overview.span)
    ? emptyState(text('empty'), nextStep)
    : await history(visit, overview, span);
  return html`<h2>${text(`history.${span}`)}</h2>!${spanTabs(visit, span)}!${shown}`;
}

interface PageParts {
  readonly title: string;
  /** The address that says whether the figures have changed. */
  readonly live: string;
  /** HTML. */
  readonly parts: readonly string[];
}

function renderPage(
  visit: Visit,
  { version, isHistoryCounted }: Overview,
  { title, live, parts }: PageParts,
): ConsolePage {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const counting = isHistoryCounted ? '' : html`<p class="notice warning">${text('counting')}</p>`;
  const acts = html`<button class="button quiet" type="button" id="live-switch" hidden
 data-pause="${text('pause')}" data-resume="${text('resume')}">${text('pause')}</button>`;
  const under = html`${text('lead', { zone: visit.timeZone })}`;
  const body = html`<div id="live-figures" data-live="${live}?seen=${version}">
!${counting}!${parts.join('\n')}</div>`;
  return { title, head: { under, acts }, body, scripts: ['console-live'] };
}
