import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { countText } from '#lib/words/count-text.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { isSignedByUs } from './checkpoint-signature.ts';
import { listCheckpoints } from './checkpoint-store.ts';
import { entryHash, FIRST_HASH } from './entry-hash.ts';
import {
  type ChainPlace,
  countAuditUpTo,
  findAuditHead,
  pageOfAudit,
  type StoredEntry,
} from './read-store.ts';

/** Some 500 kB of entries; a page is one short statement. */
const PAGE_SIZE = 1_000;
/** Enough to see a pattern in; the rest is counted. */
const MOST_FAULTS = 100;

export interface Verification {
  readonly entries: number;
  /** Sentences, at most 100. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  /** The place before the first verified entry: the last prune's checkpoint, or position 0. */
  readonly start: ChainPlace;
  /** The last entry. Keep it outside the database: a later run compares the chain with it. */
  readonly head: ChainPlace;
  /** false: `mostEntries` ended the run, and the entries after `head` are still to verify. */
  readonly isComplete: boolean;
}

export interface VerifyDeps {
  readonly db: Executor;
  readonly secretsKey: RotatingKey;
  /** A head that an earlier run told. */
  readonly knownHead?: ChainPlace | null;
  /** An earlier run that `mostEntries` ended; this run goes on behind its head. */
  readonly earlier?: Verification | null;
  /** Ends the run after about so many entries; left out: verifies all. */
  readonly mostEntries?: number;
  readonly showProgress?: (message: string) => void;
}

/**
 * Proves that the audit log holds every entry since the last prune, unchanged and in order, as far
 * as its chain, its checkpoints and a known head can tell (decision 0034). Goes on after a fault
 * with the stored hash, so that each fault appears once. Entries that are appended meanwhile are
 * verified, too.
 */
export async function verifyAuditLog(deps: VerifyDeps): Promise<Verification> {
  const { db, secretsKey, knownHead = null, showProgress = () => {} } = deps;
  const { mostEntries = Number.POSITIVE_INFINITY } = deps;
  const headAtFirst = await findAuditHead(db);
  const checkpoints = await listCheckpoints(db);
  const signed = checkpoints.filter((checkpoint) => isSignedByUs(secretsKey, checkpoint));
  const start = signed.findLast(({ isStart }) => isStart) ?? { position: 0n, hash: FIRST_HASH };
  // After a prune, the earlier run proves nothing about the log that is left.
  const earlier = deps.earlier?.start.position === start.position ? deps.earlier : null;
  const faults = createFaults(earlier);
  const known: KnownPlace[] = signed
    .filter(({ position }) => position > start.position)
    .map(({ position, hash }) => ({ position, hash, name: 'the checkpoint' }));
  if (headAtFirst) known.push({ ...headAtFirst, name: 'the head' });
  if (knownHead) known.push({ ...knownHead, name: 'the known head' });

  if (earlier === null) {
    for (const { position } of checkpoints.filter((each) => !signed.includes(each))) {
      faults.add(`The checkpoint at ${position} is not signed with this SECRETS_KEY.`);
    }
    if (headAtFirst === null) faults.add('The row of audit_log_head is gone.');
    const left = await countAuditUpTo(db, start.position);
    if (left > 0) {
      faults.add(
        `${countText(left, 'entry', 'entries')} at ${start.position} or before, where a prune ` +
          'ended: run payreq audit prune again.',
      );
    }
  }
  const from = earlier?.head ?? start;
  const walk = { known, faults, showProgress, mostEntries, counted: earlier?.entries ?? 0 };
  const { entries, head, isComplete } = await walkChain(db, from, walk);
  if (isComplete) tellUnmet(known, { start, head }, faults);
  return { entries, faults: faults.kept, faultCount: faults.total(), start, head, isComplete };
}

/** A place that an entry of the log must have, and how faults name it. */
type KnownPlace = ChainPlace & { readonly name: string };

/** Tells the known places that the verified log does not reach. */
function tellUnmet(
  known: readonly KnownPlace[],
  { start, head }: { readonly start: ChainPlace; readonly head: ChainPlace },
  faults: Faults,
): void {
  for (const { position, name } of known) {
    if (position > head.position) {
      faults.add(`${missing(head.position + 1n, position)}: ${name} is beyond the last entry.`);
    } else if (position < start.position) {
      faults.add(`${upperFirst(name)} is before ${start.position}, where the log now begins.`);
    }
  }
}

interface Walk {
  readonly known: readonly KnownPlace[];
  readonly faults: Faults;
  readonly showProgress: (message: string) => void;
  readonly mostEntries: number;
  /** Entries of earlier runs. */
  readonly counted: number;
}

async function walkChain(
  db: Executor,
  from: ChainPlace,
  { known, faults, showProgress, mostEntries, counted }: Walk,
): Promise<{ entries: number; head: ChainPlace; isComplete: boolean }> {
  const compare = (place: ChainPlace) => {
    for (const { position, hash, name } of known) {
      if (position === place.position && !hash.equals(place.hash)) {
        faults.add(`The chain was computed again: entry ${position} differs from ${name}.`);
      }
    }
  };
  // An earlier run compared its last place.
  if (counted === 0) compare(from);
  let head = from;
  let walked = 0;
  let after = { position: `${from.position}`, id: '9223372036854775807' };
  for (;;) {
    const page = await pageOfAudit(db, after, PAGE_SIZE);
    for (const entry of page) {
      head = follow(head, entry, faults);
      compare(head);
      after = entry;
    }
    walked += page.length;
    const entries = counted + walked;
    showProgress(countText(entries, 'entry', 'entries'));
    if (page.length < PAGE_SIZE) return { entries, head, isComplete: true };
    if (walked >= mostEntries) return { entries, head, isComplete: false };
  }
}

/** Validates one entry by the place before it. @returns the place of this entry */
function follow(before: ChainPlace, entry: StoredEntry, faults: Faults): ChainPlace {
  const position = BigInt(entry.position);
  const expected = before.position + 1n;
  if (position === before.position) {
    faults.add(`Position ${position} has two entries: the chain is forked.`);
  } else if (position > expected) {
    faults.add(`${missing(expected, position - 1n)}.`);
  } else if (!entry.hash.equals(entryHash(before.hash, entry))) {
    const action = entry.action.replace(/[^A-Z_]/g, '?');
    faults.add(`Entry ${position} (${action}) was changed, or the hash before it.`);
  }
  return { position, hash: entry.hash };
}

type Faults = ReturnType<typeof createFaults>;

function createFaults(earlier: Verification | null) {
  const kept = [...(earlier?.faults ?? [])];
  let total = earlier?.faultCount ?? 0;
  return {
    kept,
    total: () => total,
    add(fault: string) {
      total += 1;
      if (kept.length < MOST_FAULTS) kept.push(fault);
    },
  };
}

function missing(first: bigint, last: bigint): string {
  return first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`;
}
