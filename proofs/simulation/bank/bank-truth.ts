import type { Random } from '../run/random.ts';

/** How a bank names the payments in its messages. */
export const BANKS = [
  /** Every message has the bank's reference. */
  'ALWAYS',
  /** Only the camt.053 has it. */
  'STATEMENT',
  /** No message has it. */
  'NEVER',
] as const;
export type BankStyle = (typeof BANKS)[number];

/** Money as it really moved on an account of a merchant. */
export interface TrueMoney {
  readonly number: number;
  readonly account: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  readonly bookingDate: string;
  readonly references: readonly string[];
  readonly endToEndHash: string | null;
  readonly isReturn: boolean;
  /** The money that this return undoes. */
  readonly undoes: TrueMoney | null;
}

/** The bank as it really is, and its days. */
export class BankTruth {
  readonly style: BankStyle;
  readonly money: TrueMoney[] = [];
  /** Bookings with a wrong amount, which the statement of the day corrects. */
  readonly misstated: TrueMoney[] = [];
  /** Days whose camt.053 the service has got, by account and day. */
  readonly stated = new Set<string>();

  constructor(random: Random) {
    this.style = random.pick(BANKS);
  }

  book(money: Omit<TrueMoney, 'number'>): TrueMoney {
    const booked = { ...money, number: this.money.length + 1 };
    this.money.push(booked);
    return booked;
  }

  /** Accounts with their days on which money moved. */
  days(): { readonly account: string; readonly day: string }[] {
    const found = this.money.map(({ account, bookingDate: day }) => ({ account, day }));
    return [...new Map(found.map((each) => [`${each.account} ${each.day}`, each])).values()];
  }

  /** A notice of the bank has a wrong amount of money that no statement has listed yet. */
  misstate(money: TrueMoney, amountCents: number): TrueMoney {
    const told = { ...money, amountCents };
    this.misstated.push(told);
    return told;
  }

  isStated({ account, bookingDate }: TrueMoney): boolean {
    return this.stated.has(`${account} ${bookingDate}`);
  }

  /** The money of an account on a day. */
  moneyOf(account: string, day: string): TrueMoney[] {
    return this.money.filter((each) => each.account === account && each.bookingDate === day);
  }
}

export const bankReferenceOf = ({ number }: TrueMoney): string => `BANK-${number}`;
