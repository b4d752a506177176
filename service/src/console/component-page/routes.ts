import { html } from 'ghtml';
import { badge, countBadge, healthBadge, statusBadge, TONES } from '#console/components/badges.ts';
import {
  copyField,
  copyStatus,
  emptyState,
  facts,
  tabs,
  tiles,
  timeline,
} from '#console/components/parts.ts';
import { column, moneyColumn, NONE, rowHeader, table } from '#console/components/table.ts';
import { amount, instant, relativeTime } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { renderForm } from '#console/forms/render-form.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { MESSAGE_STATUSES } from '#payment-requests/model/messages/link-message.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';

const COMPONENT_TEXTS = pageTexts('console.components');

const PATH = '/components';

/** Every part of the design in every state, for developers: a sandbox on this machine alone. */
export function registerComponentPage(
  routes: ConsoleRoutes,
  { environment, origin }: Pick<ConsoleDeps, 'environment' | 'origin'>,
): void {
  if (environment !== 'sandbox' || !isPlainLocalhost(origin)) return;
  routes.page(PATH, 'account.use', (_, visit) => {
    const title = COMPONENT_TEXTS[visit.language].text('title');
    const parts = Object.entries(samples(visit)).map(
      ([name, sample]) => html`<h2><code>${name}</code></h2>!${sample}`,
    );
    const acts = buttons('Cancel', 'Refund');
    const head = { badge: statusBadge(visit, 'request.PAID'), acts };
    return { title, head, scripts: ['copy-fields'], body: parts.join('') };
  });
}

function buttons(quiet: string, primary: string): string {
  return html`<button class="button danger" type="button">${quiet}</button>
<button class="button quiet" type="button">${primary}</button>
<button class="button" type="button">${primary}</button>`;
}

/** HTML of each part, by the name of its function. */
function samples(visit: Visit): Readonly<Record<string, string>> {
  const ago = (minutes: number) => new Date(visit.now.getTime() - minutes * 60_000);
  const label = 'Payment link';
  const tab = (name: string, count: string) => ({ href: `/console${PATH}`, name, count });
  const rows = [
    { status: 'request.PAID', cents: 9_414, payer: 'Françoise Côté', minutes: 3 },
    { status: 'request.PROCESSING', cents: 1_800, payer: NONE, minutes: 200 },
  ] as const;
  type Row = (typeof rows)[number];
  return {
    statusBadge: [
      ...STATUSES.map((status) => statusBadge(visit, `request.${status}`)),
      ...MESSAGE_STATUSES.map((status) => statusBadge(visit, `message.${status}`)),
    ].join(' '),
    badge: TONES.map((tone) => badge(tone, tone)).join(' '),
    countBadge: TONES.map((tone) => countBadge('12', tone)).join(' '),
    healthBadge: [
      healthBadge(visit, { state: 'WELL' }),
      healthBadge(visit, { state: 'SHAKY', answer: 'HTTP 503', since: ago(4) }),
      healthBadge(visit, { state: 'FAILING', answer: 'HTTP 500', since: ago(29), waiting: 225 }),
      healthBadge(visit, { state: 'PAUSED', waiting: 1_000, isWaitingCut: true }),
    ].join(' '),
    tiles: tiles([
      { label: 'Paid', value: '181', href: `/console${PATH}`, note: 'Yesterday 164' },
      ...TONES.map((tone) => ({ label: tone, value: amount(visit, 9_414), tone })),
    ]),
    tabs: tabs('Views', [
      { ...tab('All', '300'), isCurrent: true },
      { ...tab('Failed', '37'), isCurrent: false },
    ]),
    table: html`<div class="list-rows">!${table(
      'Payment requests',
      [
        rowHeader('Status', ({ status }: Row) => {
          return html`<a class="row" href="/console${PATH}">!${statusBadge(visit, status)}</a>`;
        }),
        moneyColumn('Amount', ({ cents }: Row) => amount(visit, cents)),
        column('Payer', ({ payer }: Row) => html`${payer}`),
        column('Created', ({ minutes }: Row) => relativeTime(visit, ago(minutes))),
      ],
      rows,
    )}</div>`,
    timeline: timeline(
      TONES.map((tone, at) => {
        return { tone, title: tone, when: instant(visit, ago(at)), lines: ['HTTP 200'] };
      }),
    ),
    facts: `<section class="card">${facts([[label, html`<code>https://pay.example/abc</code>`]])}
</section>`,
    copyField: html`<p>!${copyField(visit, { id: 'line', label, value: 'RF18 5390 0754' })}</p>
!${copyField(visit, { id: 'block', label, value: '{\n  "status": "PAID"\n}', isBlock: true })}
!${copyStatus(visit)}`,
    notice: ['', ...TONES].map((tone) => html`<p class="notice ${tone}">${tone}</p>`).join(''),
    emptyState: emptyState('No payment requests', `<p>${buttons('Clear', 'Create')}</p>`),
    renderForm: renderForm(visit, {
      action: PATH,
      faults: { one: 'Too low' },
      items: [
        { name: 'one', label: 'Amount', hint: '10.50' },
        { name: 'two', kind: 'choice', label: 'Reason', options: [['A', 'Duplicate']] },
      ],
      buttons: buttons('Delete', 'Save'),
    }),
  };
}
