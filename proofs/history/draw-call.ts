import { drawInteger, drawWeighted, type Random } from './random.ts';

/** A decision of a worker, before it is known which payment requests there are. */
export interface Decision {
  readonly name: 'create' | 'read' | 'cancel' | 'refund' | 'token';
  readonly amountCents: number;
  readonly payerName: string;
  /** The place of the payment request among those known: 0 is the oldest, below 1. */
  readonly place: number;
  /** A part of the largest refund: above 0, at most 1. */
  readonly share: number;
  readonly pauseFactor: number;
}

/** Creates and refunds first: the calls of which a loss or a double costs money. */
const CALLS = { create: 40, read: 22, refund: 22, cancel: 12, token: 4 };

/**
 * Outcomes of the sandbox (contract §8). Most are paid at once: there is money to give back.
 * Two follow each other at `depositLate`: EXPIRED and then PAID.
 */
const PAYERS = {
  'depositSubmit:0': 40,
  'depositSubmit:1': 20,
  'depositSubmit:3': 10,
  depositProcessing: 5,
  depositDecline: 5,
  depositLate: 5,
  'Ada Lovelace': 15,
};

/** Draws equally many numbers for each decision, so that no answer changes a later decision. */
export function drawCall(random: Random): Decision {
  return {
    name: drawWeighted(random, CALLS),
    amountCents: drawInteger(random, 100, 10_000),
    payerName: drawWeighted(random, PAYERS),
    place: random(),
    share: 1 - random(),
    pauseFactor: 2 * random(),
  };
}
