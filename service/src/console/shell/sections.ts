import type { Action } from '#console/model/access-matrix.ts';

export interface SectionFacts {
  /** Below `/console`; `:merchant` stands for the merchant of the page. */
  readonly path: string;
  /** The section is shown to people who may do this. */
  readonly action: Action;
}

/** The navigation, in its order: the parts for one merchant, then the parts for operators. */
export const SECTIONS = {
  home: { path: '', action: 'home.read' },
  overview: { path: '/m/:merchant/overview', action: 'overview.read' },
  'payment-requests': { path: '/m/:merchant/payment-requests', action: 'payment-requests.read' },
  refunds: { path: '/m/:merchant/refunds', action: 'refunds.read' },
  messages: { path: '/m/:merchant/messages', action: 'messages.read' },
  templates: { path: '/m/:merchant/templates', action: 'templates.read' },
  deliveries: { path: '/m/:merchant/deliveries', action: 'deliveries.read' },
  endpoints: { path: '/m/:merchant/endpoints', action: 'endpoints.read' },
  events: { path: '/m/:merchant/events', action: 'events.read' },
  cases: { path: '/m/:merchant/cases', action: 'cases.read' },
  report: { path: '/m/:merchant/report', action: 'ledger.read' },
  credentials: { path: '/m/:merchant/credentials', action: 'credentials.read' },
  team: { path: '/m/:merchant/team', action: 'team.read' },
  developer: { path: '/m/:merchant/developer', action: 'developer.read' },
  audit: { path: '/m/:merchant/audit', action: 'audit.read' },
  'operator.overview': { path: '/operator/overview', action: 'operator.overview.read' },
  'operator.merchants': { path: '/operator/merchants', action: 'operator.merchants.read' },
  'operator.cases': { path: '/operator/cases', action: 'operator.cases.read' },
  'operator.messages': { path: '/operator/messages', action: 'operator.messages.read' },
  'operator.bank-files': { path: '/operator/bank-files', action: 'operator.bank.read' },
  'operator.bank-connection': {
    path: '/operator/bank-connection',
    action: 'operator.bank.read',
  },
  'operator.unmatched': { path: '/operator/unmatched', action: 'operator.bank.read' },
  'operator.report': { path: '/operator/report', action: 'operator.report.read' },
  'operator.overdue': { path: '/operator/overdue', action: 'operator.health.read' },
  'operator.health': { path: '/operator/health', action: 'operator.health.read' },
  'operator.sessions': { path: '/operator/sessions', action: 'operator.sessions.read' },
  'operator.audit': { path: '/operator/audit', action: 'operator.audit.read' },
  approvals: { path: '/approvals', action: 'approvals.read' },
  account: { path: '/account', action: 'account.use' },
} as const satisfies Readonly<Record<string, SectionFacts>>;

export type Section = keyof typeof SECTIONS;

/** Paths that do not begin as the path of their section does. */
const OTHER_PATHS: Readonly<Record<string, Section>> = {
  '/m/:merchant/ledger': 'report',
  '/m/:merchant/payment-requests/:id/refund': 'refunds',
  '/m/:merchant/replays': 'endpoints',
  '/m/:merchant/suppressions': 'messages',
  '/m/:merchant/template': 'templates',
  '/operator/suppressions': 'operator.messages',
  '/components': 'account',
  '/shortcuts': 'account',
};

/** The section of a page, by its path below `/console`; the home for pages of no other section. */
export function sectionOf(path: string): Section {
  const begins = (start: string) => `${path}/`.startsWith(`${start}/`);
  const other = Object.keys(OTHER_PATHS).find(begins);
  const sections = Object.keys(SECTIONS) as Section[];
  return (
    OTHER_PATHS[other ?? ''] ?? sections.findLast((name) => begins(SECTIONS[name].path)) ?? 'home'
  );
}
