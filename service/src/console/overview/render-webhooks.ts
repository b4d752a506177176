import { html } from 'ghtml';
import { emptyState, type Tile, tiles } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { shownDuration, shownNumber } from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { Visit } from '#console/shell/visit.ts';
import { type MessageCounts, MOST_COUNTED_MESSAGES } from '#messages/read/list-messages.ts';
import {
  type AllWebhooks,
  DAYS_OF_GIVEN_UP,
  type MerchantWebhooks,
  MOST_COUNTED_WEBHOOKS,
  type OwedMerchant,
} from '#webhooks/health/read-health.ts';
import { listHref } from './render-figures.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** The page of all merchants lists the endpoints that its numbers count. */
const TROUBLED = '/console/operator/health#endpoints';

/** A number of webhooks or endpoints; `bad` where one is too many. */
function card(
  visit: Visit,
  name: 'owed' | 'givenUp' | 'failing' | 'paused',
  count: number,
  href: string | null = null,
): Tile {
  return {
    label: OVERVIEW_TEXTS[visit.language].text(name, { days: DAYS_OF_GIVEN_UP }),
    value: shownCount(visit, count),
    href,
    tone: name === 'failing' && count > 0 ? 'bad' : 'neutral',
  };
}

/** How a merchant's webhooks are doing. */
export function merchantWebhookCards(visit: Visit, health: MerchantWebhooks): string {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const { owed, oldestOwedAt, givenUp, failing, paused } = health;
  const deliveries = (status: string) => listHref(visit, 'deliveries', { status });
  const endpoints = (health: string) => listHref(visit, 'endpoints', { health });
  const cards = [
    card(visit, 'owed', owed, deliveries('PENDING')),
    { label: text('oldestOwed'), value: age(visit, oldestOwedAt) },
    card(visit, 'givenUp', givenUp, deliveries('EXHAUSTED')),
    card(visit, 'failing', failing, endpoints('FAILING')),
    card(visit, 'paused', paused, endpoints('PAUSED')),
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
    card(visit, 'owed', owed),
    { label: text('oldestOwed'), value: age(visit, worst[0]?.oldestOwedAt ?? null) },
    card(visit, 'failing', failing, TROUBLED),
    card(visit, 'paused', paused, TROUBLED),
  ];
  const head = html`<h2>${text('webhooks')}</h2>!${tiles(cards)}
<h2>${text('worst')}</h2>`;
  if (worst.length === 0) return head + emptyState(text('worstEmpty'));
  const merchants = table(text('worst'), titled(visit, text, WORST), worst);
  return html`!${head}<p class="quiet">${text('worstLead')}</p>!${merchants}`;
}

const WORST: ListColumns<OwedMerchant> = {
  merchant: show.link(
    ({ merchantId: id, merchantName }) =>
      [`/console/m/${id}/deliveries`, html`${merchantName}`] as const,
  ),
  oldestOwed: show.cell(({ oldestOwedAt }, visit) => age(visit, oldestOwedAt)),
  owed: { isNumber: true, cell: ({ owed }, visit) => shownCount(visit, owed) },
};

function shownCount(
  { language }: Visit,
  count: number,
  isMore = count >= MOST_COUNTED_WEBHOOKS,
): string {
  const number = shownNumber(language, count);
  if (!isMore) return number;
  return html`${OVERVIEW_TEXTS[language].text('more', { number })}`;
}

/** How long ago, with the instant on hover. */
function age({ language, now }: Visit, at: Date | null): string {
  if (at === null) return '–';
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  return html`<span title="${at.toISOString()}">${shownDuration(language, seconds)}</span>`;
}

/** A merchant's messages to payers; nothing where it sends none. */
export function messageCards(visit: Visit, { all, waiting, undelivered }: MessageCounts): string {
  if (all === 0) return '';
  const { text } = OVERVIEW_TEXTS[visit.language];
  const card = (name: 'messagesWaiting' | 'undelivered', count: number, query: object) => ({
    label: text(name),
    value: shownCount(visit, Math.min(count, MOST_COUNTED_MESSAGES), count > MOST_COUNTED_MESSAGES),
    href: listHref(visit, 'messages', { ...query }),
    tone: name === 'undelivered' && count > 0 ? ('warning' as const) : ('neutral' as const),
  });
  return html`<h2>${text('messages')}</h2>!${tiles([
    card('messagesWaiting', waiting, { status: 'SCHEDULED' }),
    card('undelivered', undelivered, { undelivered: 'yes' }),
  ])}`;
}
