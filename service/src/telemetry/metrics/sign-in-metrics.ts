import type { Meter } from '@opentelemetry/api';
import { ACCESS_PROBLEM_CODES } from '#lib/problem.ts';

/** The reasons of 401, 403 and 429 answers to the token call and to merchants' calls. */
export const REFUSED_SIGN_INS = {
  token: ['INVALID_CLIENT', 'RATE_LIMITED'],
  api: ACCESS_PROBLEM_CODES,
} as const;

export function measureSignIns(meter: Meter) {
  const refused = meter.createCounter('sign_ins_refused_total', {
    description: 'Token calls and merchants’ calls answered with 401, 403 or 429, by reason.',
  });
  // Start at 0, so that Prometheus sees the first refusal as an increase.
  for (const [call, reasons] of Object.entries(REFUSED_SIGN_INS)) {
    for (const reason of reasons) refused.add(0, { call, reason });
  }
  return {
    /** A merchant's call was refused; a reason outside of the closed list counts as `other`. */
    signInRefused({ call, reason }: { readonly call: 'token' | 'api'; readonly reason: string }) {
      const isKnown = (REFUSED_SIGN_INS[call] as readonly string[]).includes(reason);
      refused.add(1, { call, reason: isKnown ? reason : 'other' });
    },
  };
}
