import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { shownDuration, shownNumber } from '#console/components/shown-values.ts';
import { table } from '#console/components/table.ts';
import { tiles } from '#console/components/tile.ts';
import { show, titled } from '#console/lists/columns.ts';
import type { ListColumns } from '#console/lists/list-spec.ts';
import type { Visit } from '#console/shell/visit.ts';
import {
  type AllWebhooks,
  DAYS_OF_GIVEN_UP,
  type MerchantWebhooks,
  MOST_COUNTED_WEBHOOKS,
  type OwedMerchant,
} from '#webhooks/health/read-health.ts';
import { listHref } from './render-figures.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

const BAD = { tone: 'bad' } as const;
/** The page of all merchants lists the endpoints that its numbers count. */
const TROUBLED = '/console/operator/health#endpoints';

/** How a merchant's webhooks are doing. */
export function merchantWebhookCards(visit: Visit, health: MerchantWebhooks): string {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const to = (list: string, status: string) => listHref(visit, list, { status });
  const endpoints = (health: string) => listHref(visit, 'endpoints', { health });
  const cards = [
    {
      label: text('owed'),
      value: shownCount(visit, health.owed),
      href: to('deliveries', 'PENDING'),
    },
    { label: text('oldestOwed'), value: age(visit, health.oldestOwedAt) },
    {
      label: text('givenUp', { days: DAYS_OF_GIVEN_UP }),
      value: shownCount(visit, health.givenUp),
      href: to('deliveries', 'EXHAUSTED'),
    },
    {
      label: text('failing'),
      value: shownCount(visit, health.failing),
      href: endpoints('FAILING'),
      ...(health.failing > 0 && BAD),
    },
    {
      label: text('paused'),
      value: shownCount(visit, health.paused),
      href: endpoints('PAUSED'),
    },
  ];
  return html`<h2>${text('webhooks')}</h2>!${tiles(cards)}`;
}

/** How all webhooks are doing, and the merchants that have waited for the longest. */
export function allWebhooks(
  visit: Visit,
  { owed, failing, paused, worst }: AllWebhooks & { readonly worst: readonly OwedMerchant[] },
): string {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const cards = [
    { label: text('owed'), value: shownCount(visit, owed) },
    { label: text('oldestOwed'), value: age(visit, worst[0]?.oldestOwedAt ?? null) },
    {
      label: text('failing'),
      value: shownCount(visit, failing),
      href: TROUBLED,
      ...(failing > 0 && BAD),
    },
    { label: text('paused'), value: shownCount(visit, paused), href: TROUBLED },
  ];
  const head = html`<h2>${text('webhooks')}</h2>!${tiles(cards)}
<h2>${text('worst')}</h2>`;
  if (worst.length === 0) return head + emptyState(text('worstEmpty'));
  return html`!${head}<p class="quiet">${text('worstLead')}</p>` + worstTable(visit, worst);
}

function worstTable(visit: Visit, worst: readonly OwedMerchant[]): string {
  const { text } = OVERVIEW_TEXTS[visit.language];
  return table(text('worst'), titled(visit, text, WORST), worst);
}

const WORST: ListColumns<OwedMerchant> = {
  merchant: show.link(
    ({ merchantId: id, merchantName }) =>
      [`/console/m/${id}/deliveries`, html`${merchantName}`] as const,
  ),
  oldestOwed: show.cell(({ oldestOwedAt }, visit) => age(visit, oldestOwedAt)),
  owed: { isNumber: true, cell: ({ owed }, visit) => shownCount(visit, owed) },
};

function shownCount({ language }: Visit, count: number): string {
  const number = shownNumber(language, count);
  if (count < MOST_COUNTED_WEBHOOKS) return number;
  return html`${OVERVIEW_TEXTS[language].text('more', { number })}`;
}

/** How long ago, with the instant on hover. */
function age({ language, now }: Visit, at: Date | null): string {
  if (at === null) return '–';
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  return html`<span title="${at.toISOString()}">${shownDuration(language, seconds)}</span>`;
}
