import type { RefusalReason } from '../refusal-reason.ts';

/** The outcome of a test user's confirmation. */
export type Behaviour =
  | { readonly kind: 'SETTLES_AT_ONCE' }
  /** The money arrives at once, and is taken back. */
  | { readonly kind: 'IS_RETURNED'; readonly afterMs: number }
  | { readonly kind: 'SETTLES_LATER'; readonly afterMs: number }
  | { readonly kind: 'IS_REFUSED'; readonly reason: RefusalReason }
  /** The institution does not answer; after a while the payer reads so. */
  | { readonly kind: 'IS_NOT_ANSWERED'; readonly afterMs: number };

export interface TestUser {
  readonly username: string;
  /** null: no password is the right one. */
  readonly password: string | null;
  readonly onConfirm: Behaviour;
}

/** journey §1: approves, but settles after 20 s. */
const LATE_SETTLEMENT_MS = 20_000;
/** Long enough to see the page wait, short enough to wait for it. */
const INSTITUTION_TIMEOUT_MS = 10_000;

/** Time to see PAID before the money goes back (contract §11). */
const RETURN_MS = 20_000;

/** All test users share this password: it is printed on the page. */
export const TEST_PASSWORD = 'demo';

/** The last digits of the account that all test users pay from. */
export const TEST_ACCOUNT = '4821';

/** A payer who signs in as a test user makes the outcome of that user happen (journey §1). */
export const TEST_USERS = [
  { username: 'approve', password: TEST_PASSWORD, onConfirm: { kind: 'SETTLES_AT_ONCE' } },
  {
    username: 'slow',
    password: TEST_PASSWORD,
    onConfirm: { kind: 'SETTLES_LATER', afterMs: LATE_SETTLEMENT_MS },
  },
  {
    username: 'funds',
    password: TEST_PASSWORD,
    onConfirm: { kind: 'IS_REFUSED', reason: 'INSUFFICIENT_FUNDS' },
  },
  {
    username: 'limit',
    password: TEST_PASSWORD,
    onConfirm: { kind: 'IS_REFUSED', reason: 'AMOUNT_LIMIT_EXCEEDED' },
  },
  {
    username: 'timeout',
    password: TEST_PASSWORD,
    onConfirm: { kind: 'IS_NOT_ANSWERED', afterMs: INSTITUTION_TIMEOUT_MS },
  },
  {
    username: 'returned',
    password: TEST_PASSWORD,
    onConfirm: { kind: 'IS_RETURNED', afterMs: RETURN_MS },
  },
  // Never gets as far as confirming.
  { username: 'wrong', password: null, onConfirm: { kind: 'SETTLES_AT_ONCE' } },
] as const satisfies readonly TestUser[];

export type Username = (typeof TEST_USERS)[number]['username'];

export function findTestUser(username: unknown): TestUser | undefined {
  return TEST_USERS.find((user) => user.username === username);
}
