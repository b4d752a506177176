import type { Executor } from '#database/database.ts';
import {
  bare,
  foreignNumber,
  isBankOf,
  parseAccount,
  sharedKeyOf,
  withoutZeros,
} from '#lib/bank/account-number.ts';
import { findNamedAccounts, type NamedAccount } from './account-names-store.ts';

interface Part {
  readonly account: string;
  readonly servicer: readonly string[];
}

/** A person reads no more accounts of a file. */
const MOST_SEEN = 20;
const IBAN_LIKE = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/**
 * Gives the accounts of a file the names that this service has for them: a statement names an
 * account without an IBAN by a text of its bank (bank-connection §4).
 *
 * @param listed the accounts of the connection that brings the file; null: the file came otherwise.
 *   A file that does not name the bank of an account counts only through such a list
 */
export function createAccountNames(db: Executor, listed: readonly string[] | null) {
  const names = new Map<string, string>();
  const textOf = ({ account, servicer }: Part) =>
    servicer.length === 0 ? account : `${account} (${servicer.join(', ')})`;
  async function learn(unknown: readonly Part[]): Promise<void> {
    // A GB account may stand in a statement by its IBAN.
    const others = unknown.map((part) => ({ part, ...readingOf(part.account) }));
    const found = await findNamedAccounts(db, {
      texts: others.map(({ part }) => part.account),
      numbers: others.flatMap(({ number }) => number ?? []),
      keys: others.flatMap(({ twin, part }) => (twin ? [twin, part.account] : [])),
    });
    for (const { part, number, twin } of others) {
      const own = found.filter((each) => isNamed(each, part, { number, twin, listed }));
      const exact = own.filter(({ key }) => key === part.account);
      // The text of an account may be the number of another one, at another bank.
      const atBank = own.filter((each) => isAtBank(each, part));
      const [only, ...more] = [exact, atBank, own].find(({ length }) => length > 0) ?? [];
      names.set(textOf(part), only && more.length === 0 ? only.key : foreignNumber(part.account));
    }
  }

  return {
    async give<Each extends Part>(parts: readonly Each[]): Promise<readonly Each[]> {
      const unknown = new Map(parts.map((part) => [textOf(part), part] as const));
      for (const text of names.keys()) unknown.delete(text);
      // A file has many pieces, and one or two accounts.
      if (unknown.size > 0) await learn([...unknown.values()]);
      return parts.map((part) => ({ ...part, account: names.get(textOf(part)) ?? part.account }));
    },
    /** The accounts as the file writes them. */
    seen: () => [...names.keys()].slice(0, MOST_SEEN),
  };
}

interface Reading {
  /** Without leading zeros; null: an IBAN. */
  readonly number: string | null;
  /** The other name of a British IBAN; null: it has none. */
  readonly twin: string | null;
}

function readingOf(account: string): Reading {
  if (!IBAN_LIKE.test(account)) {
    return { number: withoutZeros(bare(account)), twin: null };
  }
  const domestic = sharedKeyOf(account);
  return { number: null, twin: domestic === account ? null : domestic };
}

const isAtBank = ({ key, bic }: NamedAccount, { servicer }: Part): boolean =>
  isBankOf(parseAccount(key), bic, servicer);

function isNamed(
  named: NamedAccount,
  part: Part,
  { number, twin, listed }: Reading & { readonly listed: readonly string[] | null },
): boolean {
  const { key, statementId } = named;
  const { account, servicer } = part;
  if (statementId !== null) return statementId === account;
  if (number === null) return key === account || key === twin;
  const own = parseAccount(key);
  if (own.number !== number) return false;
  if (servicer.length > 0) return isAtBank(named, part);
  return (listed ?? []).includes(sharedKeyOf(key));
}
