/** The place of money by contract §5, §11 and bank-transfer §4: written from these texts alone. */
export type Place =
  /** Part of the sums of the payment request. */
  | 'COUNTS'
  /** An operator decides: more has arrived than was asked for. */
  | 'WAITS'
  /** The payment request was PAID already. */
  | 'SECOND';

export interface Money {
  /** The bank's reference, and the EndToEndId. */
  readonly name: string;
  readonly cents: number;
  place: Place;
  isTakenBack: boolean;
}

export interface Refund {
  readonly id: string;
  readonly cents: number;
  /** The money that waits or came second; null: the refund is of the payment. */
  readonly of: Money | null;
  status: 'CREATED' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  /** The bank has executed it, and later it may have come back. */
  isExecuted: boolean;
}

export type Status = 'CREATED' | 'PAID' | 'EXPIRED' | 'CANCELLED';

const sumOf = (some: readonly { readonly cents: number }[]): number =>
  some.reduce((sum, { cents }) => sum + cents, 0);

interface Asked {
  readonly id: string;
  /** The reference that the payer types. */
  readonly reference: string;
  readonly askedCents: number;
}

/** What the contract says about one payment request and all its money. */
export class RequestModel {
  readonly id: string;
  readonly reference: string;
  readonly askedCents: number;
  status: Status = 'CREATED';
  isLate = false;
  readonly money: Money[] = [];
  readonly refunds: Refund[] = [];

  constructor({ id, reference, askedCents }: Asked) {
    this.id = id;
    this.reference = reference;
    this.askedCents = askedCents;
  }

  get isOver(): boolean {
    return this.status === 'EXPIRED' || this.status === 'CANCELLED';
  }

  /** What is left of money: neither taken back nor given back by a refund of its own. */
  leftOf(money: Money): number {
    const given = this.live().filter(({ of }) => of === money);
    return money.isTakenBack ? 0 : money.cents - sumOf(given);
  }

  /** Refunds that are not FAILED. */
  live(): Refund[] {
    return this.refunds.filter(({ status }) => status !== 'FAILED');
  }

  #ofPayment(...statuses: readonly Refund['status'][]): number {
    return sumOf(this.live().filter(({ of, status }) => of === null && statuses.includes(status)));
  }

  get receivedCents(): number {
    return sumOf(this.money.filter(({ place }) => place === 'COUNTS'));
  }

  get returnedCents(): number {
    return sumOf(this.money.filter((each) => each.place === 'COUNTS' && each.isTakenBack));
  }

  get refundedCents(): number {
    return this.#ofPayment('COMPLETED');
  }

  /** Contract §11: max(0, received − returned − refunds that are not FAILED). */
  get availableCents(): number {
    const refunding = this.#ofPayment('CREATED', 'PROCESSING');
    return Math.max(0, this.receivedCents - this.returnedCents - refunding - this.refundedCents);
  }

  get waitingCents(): number {
    const waiting = this.money.filter(({ place }) => place === 'WAITS');
    return waiting.reduce((sum, each) => sum + this.leftOf(each), 0);
  }

  get secondCents(): number {
    const second = this.money.filter(({ place }) => place === 'SECOND');
    return second.reduce((sum, each) => sum + this.leftOf(each), 0);
  }

  /** Whether an operator must be able to settle something by an act that moves money. */
  get needsAct(): boolean {
    return this.waitingCents + this.secondCents > 0 || (this.isOver && this.availableCents > 0);
  }

  /** Money arrives with the reference: exact, part, more, second or late. */
  arrive(name: string, cents: number): void {
    const isPaid = this.status === 'PAID';
    const sum = this.availableCents + this.waitingCents + cents;
    const place = isPaid ? 'SECOND' : sum > this.askedCents ? 'WAITS' : 'COUNTS';
    this.money.push({ name, cents, place, isTakenBack: false });
    if (!isPaid && sum === this.askedCents) this.#becomePaid();
  }

  /** `cases accept`: the payment request is PAID with the money that is truly there. */
  accept(): void {
    this.#becomePaid();
  }

  #becomePaid(): void {
    for (const each of this.money) {
      if (each.place === 'WAITS' && this.leftOf(each) > 0) each.place = 'COUNTS';
    }
    this.isLate = this.isOver;
    this.status = 'PAID';
  }

  /** The bank takes money back. Created refunds that nothing covers any more fail. */
  takeBack(money: Money): void {
    money.isTakenBack = true;
    for (const refund of this.live()) {
      if (refund.of !== null || refund.status !== 'CREATED') continue;
      const live = sumOf(this.live().filter(({ of }) => of === null));
      if (live > Math.max(0, this.receivedCents - this.returnedCents)) refund.status = 'FAILED';
    }
  }

  /** The sum of all that the bank has booked for the payment request. */
  get bankCents(): number {
    const there = this.money.filter(({ isTakenBack }) => !isTakenBack);
    return sumOf(there) - sumOf(this.refunds.filter((each) => isOut(each)));
  }

  /** The money of a refund that was executed and has not come back. */
  get refundLedgerCents(): number {
    return 0 - sumOf(this.refunds.filter((each) => isOut(each)));
  }

  get secondLedgerCents(): number {
    return sumOf(this.money.filter(({ place }) => place === 'SECOND'));
  }
}

const isOut = ({ status, isExecuted }: Refund): boolean => isExecuted && status === 'COMPLETED';
