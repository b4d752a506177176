import type { EntryType } from '#ledger/model/entry.ts';

/** An operator's case that names money which has arrived. */
export interface NamingCase {
  readonly id: string;
  /** null: the money names no payment request. */
  readonly paymentRequestId: string | null;
  readonly isOpen: boolean;
  /** null: open, or overtaken. */
  readonly settlement: string | null;
}

/** The facts about money after its arrival. */
export interface MovementFacts {
  /** Refunds of the movement that are not FAILED. */
  readonly givenBackCents: number;
  /** Returns of the movement by a bank or network. */
  readonly takenBackCents: number;
  /** Every case about arrived money that names the movement, open and closed. */
  readonly cases: readonly NamingCase[];
}

export const NO_FACTS: MovementFacts = { givenBackCents: 0, takenBackCents: 0, cases: [] };

/** The place of a movement in the ledger. */
export interface ArrivedMovement {
  readonly type: EntryType;
  readonly amountCents: number;
  /** null: it belongs to no payment request. */
  readonly paymentRequestId: string | null;
}

type Place = Pick<ArrivedMovement, 'type' | 'paymentRequestId'>;

export type MovementState =
  /** Part of the sums of its payment request. */
  | 'COUNTS'
  /** An operator can settle what is left of it. */
  | 'WAITS'
  /** Nothing is left of it, or a person has settled it elsewhere. */
  | 'SETTLED';

export interface WeighedMovement {
  readonly state: MovementState;
  /** The cents that were neither given back nor taken back. */
  readonly leftCents: number;
}

/** Whether a movement is part of the sums of its payment request. */
export function isCounted(movement: Place): boolean {
  const { type, paymentRequestId } = movement;
  return paymentRequestId !== null && type !== 'SECOND_PAYMENT' && !isGone(movement);
}

/** Whether a corrected booking has replaced the movement, or parts stand in its place. */
export function isGone({ type, paymentRequestId }: Place): boolean {
  return type === 'ADJUSTMENT' || (type === 'ASSIGNED' && paymentRequestId === null);
}

/**
 * Decides what became of money that has arrived: it counts, it waits for an operator, or it is
 * settled (contract §11). Every decision about money that waits rests on this function. A case that
 * a person has closed settles its money elsewhere, unless another open case names the money. Pure.
 */
export function weighMovement(movement: ArrivedMovement, facts: MovementFacts): WeighedMovement {
  const { givenBackCents, takenBackCents, cases } = facts;
  const leftCents = Math.max(0, movement.amountCents - givenBackCents - takenBackCents);
  if (isCounted(movement)) return { state: 'COUNTS', leftCents };
  if (isGone(movement)) return { state: 'SETTLED', leftCents: 0 };
  const isOpen = cases.some((each) => each.isOpen);
  const isSettledElsewhere = !isOpen && cases.some(({ settlement }) => settlement === 'CLOSED');
  return { state: leftCents === 0 || isSettledElsewhere ? 'SETTLED' : 'WAITS', leftCents };
}

/** The payment requests of the open cases about a movement; null: such a case names none. */
export function ownersOf({ cases }: MovementFacts): readonly (string | null)[] {
  return cases.filter(({ isOpen }) => isOpen).map(({ paymentRequestId }) => paymentRequestId);
}

/**
 * The cents of a movement that wait for this payment request; 0 when its open cases are about other
 * payment requests. Pure.
 */
export function waitingCentsFor(
  paymentRequestId: string,
  movement: ArrivedMovement,
  facts: MovementFacts,
): number {
  const { state, leftCents } = weighMovement(movement, facts);
  const owners = ownersOf(facts);
  const isForOther = owners.length > 0 && !owners.includes(paymentRequestId);
  return state === 'WAITS' && !isForOther ? leftCents : 0;
}

/** An open or closed case about arrived money, with the movements that it names. */
export interface HoldingCase extends NamingCase {
  readonly openedAt: Date;
  readonly movements: readonly (ArrivedMovement & {
    /** When the ledger learned of its place. */
    readonly at: Date;
    readonly facts: MovementFacts;
  })[];
  /** Whether the ledger has every movement that the case names. */
  readonly isWhole: boolean;
}

export interface CaseChanges {
  /** Open cases whose money is all settled. */
  readonly toClose: readonly string[];
  /** Closed cases whose money waits again, and that no open case names. */
  readonly toReopen: readonly string[];
}

/**
 * Decides which cases follow their money (contract §11): an open case of which nothing is left is
 * overtaken; the latest case of money that waits again is open again. Pure.
 *
 * @param cases every case about the money, the latest last
 */
export function followCases(cases: readonly HoldingCase[]): CaseChanges {
  const closing = cases.filter(isOvertaken).map(({ id }) => id);
  const reopening = new Set<string>();
  for (const { movements } of cases) {
    for (const movement of movements) {
      const { facts } = movement;
      if (weighMovement(movement, facts).state !== 'WAITS') continue;
      if (facts.cases.some(({ isOpen }) => isOpen)) continue;
      const naming = cases.filter((each) => facts.cases.some(({ id }) => id === each.id));
      // A refund is an act of its own: its case knows the money best.
      const found = naming.findLast(({ settlement }) => settlement === 'REFUNDED') ?? naming.at(-1);
      if (found) reopening.add(found.id);
    }
  }
  return { toClose: closing, toReopen: [...reopening] };
}

/**
 * Whether a case is open about money of which nothing waits. A case that contradicts money which
 * counts already was opened after it, and stays for a person.
 */
export function isOvertaken({ isOpen, isWhole, openedAt, movements }: HoldingCase): boolean {
  if (!isOpen || !isWhole || movements.length === 0) return false;
  return movements.every((movement) => {
    const { state } = weighMovement(movement, movement.facts);
    if (state !== 'COUNTS') return state === 'SETTLED';
    return movement.type === 'ASSIGNED' && movement.at >= openedAt;
  });
}
