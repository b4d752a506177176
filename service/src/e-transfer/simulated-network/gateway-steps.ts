import type { GatewayPayment } from './gateway-payment.ts';
import type { GatewaySession } from './gateway-session-store.ts';

/** The gateway's pages; those with a form take its POST at the same address. */
export type GatewayPage = 'choose' | 'sign-in' | 'confirm' | 'asking' | 'refused';

export type GatewayStep = 'CHOOSE' | 'SIGN_IN' | 'CONFIRM' | 'ASKING' | 'REFUSED' | 'OVER';

interface StepRules {
  /** A payer who opens a page that this step does not have is sent to this page. */
  readonly home: GatewayPage | null;
  readonly pages: readonly GatewayPage[];
  /** The pages whose form does something. */
  readonly actions: readonly GatewayPage[];
}

/** Which pages and actions each step allows (journey §1). */
export const STEPS: Readonly<Record<GatewayStep, StepRules>> = {
  CHOOSE: { home: 'choose', pages: ['choose'], actions: ['choose'] },
  SIGN_IN: {
    home: 'sign-in',
    pages: ['choose', 'sign-in'],
    actions: ['choose', 'sign-in'],
  },
  CONFIRM: { home: 'confirm', pages: ['choose', 'confirm'], actions: ['choose', 'confirm'] },
  // An institution has the payer's confirmation and has not answered.
  ASKING: { home: 'asking', pages: ['asking'], actions: [] },
  // The payer chooses another institution, or stops.
  REFUSED: { home: 'refused', pages: ['refused', 'choose'], actions: ['refused', 'choose'] },
  // The service that ordered the payment shows its outcome.
  OVER: { home: null, pages: [], actions: [] },
};

/** The page follows the state of the payment and of the payer's session, not the click. Pure. */
export function stepOf(
  { state, isExpired }: Pick<GatewayPayment, 'state' | 'isExpired'>,
  session: Pick<GatewaySession, 'username' | 'refusalReason'> | null,
): GatewayStep {
  if ((state !== 'OPEN' && state !== 'ASKED') || isExpired) return 'OVER';
  if (state === 'ASKED') return 'ASKING';
  if (session === null) return 'CHOOSE';
  if (session.refusalReason !== null) return 'REFUSED';
  return session.username === null ? 'SIGN_IN' : 'CONFIRM';
}
