import type { Environment } from '#lib/environment.ts';
import type { Role } from './roles.ts';

/** A right that a page or a form of the console asks for. */
export interface ActionRule {
  /** `own`: of the signed-in person alone. */
  readonly scope: 'own' | 'merchant' | 'deployment';
  readonly roles: readonly Role[];
  /** Money and secrets ask for a sign-in of the last ten minutes. */
  readonly needsFreshSignIn?: true;
  /** Left out: both environments have it. */
  readonly environment?: Environment;
}

const OPERATORS = ['operator', 'operator-readonly'] as const;
const EVERYONE = [...OPERATORS, 'administrator', 'support', 'finance', 'viewer'] as const;
/** People who answer payers and developers: they act, but change no settings. */
const HELPERS = ['operator', 'administrator', 'support'] as const;
const OPERATOR = ['operator'] as const;
const MONEY = ['administrator', 'finance'] as const;
const MONEY_READERS = [...OPERATORS, ...MONEY] as const;

/**
 * Every action of the console, with the roles that may do it: the only table of rights. Each route
 * names one action, and a test walks through all routes with all roles.
 */
export const ACTIONS = {
  /** Own sessions, language and shortcuts. */
  'account.use': { scope: 'own', roles: EVERYONE },
  /** The first page and the search over everything that the person may read. */
  'home.read': { scope: 'own', roles: EVERYONE },
  'approvals.read': { scope: 'own', roles: [...MONEY_READERS] },
  'approvals.decide': { scope: 'own', roles: ['operator', ...MONEY], needsFreshSignIn: true },

  'overview.read': { scope: 'merchant', roles: EVERYONE },
  'payment-requests.read': { scope: 'merchant', roles: EVERYONE },
  'payment-requests.create': { scope: 'merchant', roles: ['administrator'] },
  'payment-requests.cancel': { scope: 'merchant', roles: HELPERS },
  'payment-requests.simulate': { scope: 'merchant', roles: HELPERS, environment: 'sandbox' },
  'refunds.read': { scope: 'merchant', roles: EVERYONE },
  'refunds.create': { scope: 'merchant', roles: MONEY, needsFreshSignIn: true },
  'messages.read': { scope: 'merchant', roles: EVERYONE },
  'messages.send': { scope: 'merchant', roles: HELPERS },
  /** Addresses of mails that came back; operators have a right for all reasons. */
  'messages.lift': { scope: 'merchant', roles: ['administrator', 'support'] },
  'templates.read': { scope: 'merchant', roles: [...OPERATORS, 'administrator'] },
  'templates.change': { scope: 'merchant', roles: ['operator', 'administrator'] },
  'deliveries.read': { scope: 'merchant', roles: EVERYONE },
  'deliveries.redeliver': { scope: 'merchant', roles: HELPERS },
  'endpoints.read': { scope: 'merchant', roles: EVERYONE },
  'endpoints.change': { scope: 'merchant', roles: ['administrator'] },
  'endpoints.test': { scope: 'merchant', roles: ['administrator'] },
  /** Sends events again, as a redelivery does with one. */
  'endpoints.replay': { scope: 'merchant', roles: HELPERS },
  'endpoints.secret': { scope: 'merchant', roles: ['administrator'], needsFreshSignIn: true },
  'events.read': { scope: 'merchant', roles: EVERYONE },
  'developer.read': { scope: 'merchant', roles: EVERYONE },
  'views.change': { scope: 'merchant', roles: EVERYONE },
  'credentials.read': { scope: 'merchant', roles: [...OPERATORS, 'administrator'] },
  'credentials.change': { scope: 'merchant', roles: ['administrator'], needsFreshSignIn: true },
  'ledger.read': { scope: 'merchant', roles: MONEY_READERS },
  'cases.read': { scope: 'merchant', roles: MONEY_READERS },
  /** People with a role at the merchant. */
  'team.read': { scope: 'merchant', roles: [...OPERATORS, 'administrator'] },
  'audit.read': { scope: 'merchant', roles: [...OPERATORS, 'administrator'] },

  'operator.overview.read': { scope: 'deployment', roles: OPERATORS },
  'operator.views.change': { scope: 'deployment', roles: OPERATORS },
  'operator.merchants.read': { scope: 'deployment', roles: OPERATORS },
  'operator.merchants.change': { scope: 'deployment', roles: OPERATOR },
  'operator.merchants.account': { scope: 'deployment', roles: OPERATOR, needsFreshSignIn: true },
  'operator.merchants.onboard': { scope: 'deployment', roles: OPERATOR, needsFreshSignIn: true },
  'operator.cases.read': { scope: 'deployment', roles: OPERATORS },
  'operator.cases.settle': { scope: 'deployment', roles: OPERATOR, needsFreshSignIn: true },
  'operator.messages.read': { scope: 'deployment', roles: OPERATORS },
  'operator.messages.lift': { scope: 'deployment', roles: OPERATOR },
  'operator.bank.read': { scope: 'deployment', roles: OPERATORS },
  'operator.bank.act': { scope: 'deployment', roles: OPERATOR, needsFreshSignIn: true },
  'operator.report.read': { scope: 'deployment', roles: OPERATORS },
  'operator.health.read': { scope: 'deployment', roles: OPERATORS },
  'operator.audit.read': { scope: 'deployment', roles: OPERATORS },
  'operator.audit.verify': { scope: 'deployment', roles: OPERATOR },
  'operator.sessions.read': { scope: 'deployment', roles: OPERATORS },
  'operator.sessions.end': { scope: 'deployment', roles: OPERATOR },
} as const satisfies Readonly<Record<string, ActionRule>>;

export type Action = keyof typeof ACTIONS;

export function ruleOf(action: Action): ActionRule {
  return ACTIONS[action];
}
