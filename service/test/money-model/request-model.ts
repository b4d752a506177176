/** The place of money by contract §5, §11 and bank-transfer §4: written from these texts alone. */
export type Place =
  /** Part of the sums of the payment request. */
  | 'COUNTS'
  /** An operator decides: more has arrived than was asked for. */
  | 'WAITS'
  /** The payment request was PAID already. */
  | 'SECOND'
  /** Parts stand in its place. */
  | 'SPLIT';

export interface Money {
  /** The bank's reference, and the EndToEndId. */
  readonly name: string;
  /** A corrected booking changes it. */
  cents: number;
  place: Place;
  isTakenBack: boolean;
  /** The latest case that names it while it waits: an acceptance takes the money of one case. */
  caseNumber: number;
  /** Whether only a notice told of it, so that the statement can correct it. */
  isNotice: boolean;
  /** Whether an operator gave it to the payment request: its case is about itself alone. */
  isGiven: boolean;
  /** Whether it is what is left of a booking that was split: the bank knows the whole alone. */
  isPart: boolean;
}

export interface Refund {
  readonly id: string;
  readonly cents: number;
  /** The money that waits or came second; null: the refund is of the payment. */
  readonly of: Money | null;
  status: 'CREATED' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  /** The bank has executed it, and later it may have come back. */
  isExecuted: boolean;
  /** The charges of the bank, out and back. */
  feeCents: number;
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
  /** The entries SECOND_PAYMENT, which the ledger keeps when the money goes elsewhere. */
  secondLedgerCents = 0;
  #cases = 0;

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
  arrive(name: string, cents: number, isNotice: boolean): void {
    const isPaid = this.status === 'PAID';
    const waiting = this.money.filter(({ place, isGiven }) => place === 'WAITS' && !isGiven);
    const waitingCents = waiting.reduce((total, each) => total + this.leftOf(each), 0);
    const sum = this.availableCents + waitingCents + cents;
    const facts = { isTakenBack: false, caseNumber: 0, isNotice, isPart: false, isGiven: false };
    const money = { name, cents, ...facts };
    const isHeld = waitingCents > 0 || sum > this.askedCents;
    const place = isPaid ? 'SECOND' : isHeld ? 'WAITS' : 'COUNTS';
    this.money.push({ ...money, place });
    if (isPaid) this.secondLedgerCents += cents;
    if (place === 'WAITS') this.#name((each) => !each.isGiven && this.leftOf(each) > 0);
    if (place === 'COUNTS' && sum === this.askedCents) this.#becomePaid();
  }

  /** The case of new money that waits names all that waits by then. */
  #name(isNamed: (money: Money) => boolean): void {
    this.#cases += 1;
    for (const each of this.money) {
      if (each.place === 'WAITS' && isNamed(each)) each.caseNumber = this.#cases;
    }
  }

  /** Money that an operator gives to it counts with the money that counts already. */
  give(money: Money): void {
    const isPaid = this.status === 'PAID';
    money.isGiven = true;
    const sum = this.availableCents + money.cents;
    money.place = isPaid ? 'SECOND' : sum > this.askedCents ? 'WAITS' : 'COUNTS';
    if (!this.money.includes(money)) this.money.push(money);
    if (money.place === 'WAITS') this.#name((each) => each === money);
    if (!isPaid && sum === this.askedCents) this.#becomePaid();
  }

  /** `cases replace`: the statement has another amount than the notice. */
  replace(money: Money, cents: number): void {
    const more = cents - money.cents;
    money.isNotice = false;
    if (this.status === 'PAID' && money.place === 'COUNTS' && more > 0) {
      money.isPart = true;
      this.money.push({ ...money, cents: more, place: 'SECOND' });
      return;
    }
    const isKept = this.status === 'PAID' && money.place === 'COUNTS';
    if (!isKept) money.place = 'SPLIT';
    money.cents = cents;
    if (!isKept) this.give(money);
  }

  /** `cases accept`: the payment request is PAID with the parts and the money of the case. */
  accept(kind: string): void {
    const waiting = this.money.filter((each) => each.place === 'WAITS' && this.leftOf(each) > 0);
    const last = Math.max(...waiting.map(({ caseNumber }) => caseNumber));
    for (const each of waiting) {
      if (kind !== 'PART_PAYMENT' && each.caseNumber === last) each.place = 'COUNTS';
    }
    this.#becomePaid();
  }

  #becomePaid(): void {
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
    const there = this.money.filter(({ place, isTakenBack }) => place !== 'SPLIT' && !isTakenBack);
    const fees = this.refunds.reduce((sum, { feeCents }) => sum + feeCents, 0);
    return sumOf(there) - sumOf(this.refunds.filter((each) => isOut(each))) - fees;
  }

  /** The money of a refund that was executed and has not come back. */
  get refundLedgerCents(): number {
    return 0 - sumOf(this.refunds.filter((each) => isOut(each)));
  }
}

const isOut = ({ status, isExecuted }: Refund): boolean => isExecuted && status === 'COMPLETED';
