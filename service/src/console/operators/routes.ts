import { html } from 'ghtml';
import { emptyState } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { merchantLink } from '#console/lists/named-rows.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { listOverdue } from '#payment-requests/read/list-overdue.ts';
import type { OverduePaymentRequest } from '#payment-requests/read/overdue-store.ts';
import { renderHealth } from './health-page.ts';
import { registerMerchantPages } from './merchant-routes.ts';
import { onboard, onboardPage } from './onboard.ts';
import { MERCHANTS_PATH } from './parts.ts';
import { readHealth } from './read-health.ts';

/** The pages for operators: merchants, and how the deployment is. */
export function registerOperatorPages(routes: ConsoleRoutes): void {
  const [path, action] = [`${MERCHANTS_PATH}/new`, 'operator.merchants.onboard'] as const;
  routes.page(path, action, (_, visit) => onboardPage(visit));
  routes.form(path, action, 'logo', onboard);
  registerMerchantPages(routes);
  routes.page('/operator/health', 'operator.health.read', async (deps, visit) =>
    renderHealth(visit, await readHealth(deps)),
  );
  routes.page('/operator/overdue', 'operator.health.read', async (deps, visit) =>
    renderOverdue(visit, await listOverdue(deps)),
  );
}

const HEALTH_TEXTS = pageTexts('console.operators.health');

const COLUMNS: ListColumns<OverduePaymentRequest> = {
  paymentRequest: show.cell(
    ({ id, merchantId }) =>
      html`<a class="row mono" href="/console/m/${merchantId}/payment-requests/${id}">${id}</a>`,
  ),
  why: show.text(({ why }, { language }) => HEALTH_TEXTS[language].text(why)),
  since: show.age(({ since }) => since),
  merchant: merchantLink((of) => `${MERCHANTS_PATH}/${of}`),
};

/** Payment requests that a loop or the network should have moved. */
export function renderOverdue(
  visit: Visit,
  overdue: readonly OverduePaymentRequest[],
): ConsolePage {
  const { text } = HEALTH_TEXTS[visit.language];
  const rows = table(text('overdue'), titled(visit, text, COLUMNS), overdue);
  const list =
    overdue.length === 0
      ? emptyState(text('overdueNone'))
      : html`<div class="list-rows">!${rows}</div>`;
  return {
    title: text('overdue'),
    head: {
      under: html`${text('overdueLead')}`,
      back: { href: '/console/operator/health', name: text('title') },
    },
    body: list,
  };
}
