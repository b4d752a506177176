import type { GatewayPayment } from './gateway-payment.ts';
import type { GatewaySession } from './gateway-session-store.ts';

/** The gateway's pages; those with a form take its POST at the same address. */
export type GatewayPage = 'choose' | 'leaving' | 'sign-in' | 'confirm';

export type GatewayStep = 'CHOOSE' | 'SIGN_IN' | 'CONFIRM' | 'OVER';

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
    home: 'leaving',
    pages: ['choose', 'leaving', 'sign-in'],
    actions: ['choose', 'sign-in'],
  },
  CONFIRM: { home: 'confirm', pages: ['choose', 'confirm'], actions: ['choose', 'confirm'] },
  // The service that ordered the payment shows its outcome.
  OVER: { home: null, pages: [], actions: [] },
};

/** The page follows the state of the payment and of the payer's session, not the click. Pure. */
export function stepOf(
  { state, isExpired }: Pick<GatewayPayment, 'state' | 'isExpired'>,
  session: Pick<GatewaySession, 'username'> | null,
): GatewayStep {
  if (state !== 'OPEN' || isExpired) return 'OVER';
  if (session === null) return 'CHOOSE';
  return session.username === null ? 'SIGN_IN' : 'CONFIRM';
}
