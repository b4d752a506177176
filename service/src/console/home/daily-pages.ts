import { ways } from '#console/components/tile.ts';
import type { Action } from '#console/model/access-matrix.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts, type TextKey } from '#http/pages/texts.ts';

const HOME_TEXTS = pageTexts('console.home');

type Question = {
  [Key in TextKey<'console.home'>]: `${Key}.page` extends TextKey<'console.home'> ? Key : never;
}[TextKey<'console.home'>];

/** A question of a day, and the page that answers it. */
interface DailyPage {
  /** The text of the link. */
  readonly question: Question;
  /** Below the pages of the merchant, or below `/console` for pages of the deployment. */
  readonly path: string;
  readonly action: Action;
}

const OF_MERCHANT: readonly DailyPage[] = [
  { question: 'cameIn', path: '/overview', action: 'overview.read' },
  { question: 'orders', path: '/payment-requests', action: 'payment-requests.read' },
  { question: 'heard', path: '/deliveries', action: 'deliveries.read' },
  { question: 'givenBack', path: '/refunds', action: 'refunds.read' },
  { question: 'openCases', path: '/cases', action: 'cases.read' },
  { question: 'day', path: '/report', action: 'ledger.read' },
  { question: 'keys', path: '/credentials', action: 'credentials.read' },
  { question: 'askPayment', path: '/payment-requests/new', action: 'payment-requests.create' },
];

const OF_OPERATORS: readonly DailyPage[] = [
  { question: 'allWell', path: '/operator/health', action: 'operator.health.read' },
  { question: 'overdue', path: '/operator/overdue', action: 'operator.health.read' },
  { question: 'cameInAll', path: '/operator/overview', action: 'operator.overview.read' },
  { question: 'merchants', path: '/operator/merchants', action: 'operator.merchants.read' },
  { question: 'casesAll', path: '/operator/cases', action: 'operator.cases.read' },
  { question: 'day', path: '/operator/report', action: 'operator.report.read' },
  { question: 'approve', path: '/approvals', action: 'approvals.read' },
  { question: 'whoDidIt', path: '/operator/audit', action: 'operator.audit.read' },
];

/** The questions of a day about one merchant, each as a link to the page that answers it. */
export function merchantPages(visit: Visit, merchantId: string): string {
  const base = `/console/m/${merchantId}`;
  return cards(visit, base, may(visit, OF_MERCHANT, merchantId));
}

/** The questions of operators; empty for everyone else. */
export function operatorPages(visit: Visit): string {
  const isOperators = visit.can('operator.merchants.read');
  return isOperators ? cards(visit, '/console', may(visit, OF_OPERATORS)) : '';
}

function may(visit: Visit, pages: readonly DailyPage[], merchantId?: string): DailyPage[] {
  return pages.filter(({ action }) => visit.can(action, merchantId));
}

function cards({ language }: Visit, base: string, pages: readonly DailyPage[]): string {
  const { text } = HOME_TEXTS[language];
  return ways(
    pages.map(({ question, path }) => ({
      href: base + path,
      name: text(question),
      note: text(`${question}.page`),
    })),
  );
}
