/** Why a person is not signed in; each has its sentence on the page of the sign-in. */
export const SIGN_IN_FAULTS = [
  'UNREACHABLE',
  'SILENT',
  'REFUSED',
  'INVALID_ANSWER',
  'NOT_FRESH',
  'NO_ROLE',
  'TOO_MANY_ROLES',
  'EXPIRED',
  'TOO_MANY',
  'BUSY',
] as const;

export type SignInFault = (typeof SIGN_IN_FAULTS)[number];

const UNAVAILABLE: readonly SignInFault[] = ['UNREACHABLE', 'SILENT', 'BUSY'];

/** The status of the page that tells the fault. */
export function statusOfFault(fault: SignInFault): number {
  if (fault === 'TOO_MANY') return 429;
  return UNAVAILABLE.includes(fault) ? 503 : 403;
}

export function readSignInFault(text: unknown): SignInFault | null {
  return SIGN_IN_FAULTS.find((fault) => fault === text) ?? null;
}
