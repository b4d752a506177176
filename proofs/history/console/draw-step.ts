import { drawInteger, drawWeighted, type Random } from '../random.ts';

/** A person's decision, before it is known which payment requests there are. */
export interface Step {
  readonly name: keyof typeof STEPS;
  readonly amountCents: number;
  readonly payerName: string;
  /** The place of the payment request among those known: 0 is the oldest, below 1. */
  readonly place: number;
  /** A part of the largest refund: above 0, at most 1. */
  readonly share: number;
  /** Whether the link of the sign-in is used once more afterwards. */
  readonly isLinkTriedAgain: boolean;
  readonly pauseFactor: number;
}

/** Acts first; a session has some ten steps, so that a run has many sessions. */
const STEPS = {
  create: 20,
  cancel: 14,
  redeliver: 14,
  refund: 16,
  request: 12,
  list: 6,
  overview: 4,
  stranger: 4,
  'sign-out': 10,
};

/** Outcomes of the sandbox (contract §8): paid payment requests, and some to cancel. */
const PAYERS = { 'depositSubmit:0': 55, 'depositSubmit:1': 15, 'Ada Lovelace': 30 };

/** Draws equally many numbers for each step, so that no answer changes a later step. */
export function drawStep(random: Random): Step {
  return {
    name: drawWeighted(random, STEPS),
    amountCents: drawInteger(random, 100, 10_000),
    payerName: drawWeighted(random, PAYERS),
    place: random(),
    share: 1 - random(),
    isLinkTriedAgain: random() < 0.3,
    pauseFactor: 2 * random(),
  };
}
