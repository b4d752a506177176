import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { countText } from '../cli/count-text.ts';
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
}

export interface VerifyDeps {
  readonly db: Executor;
  readonly secretsKey: RotatingKey;
  /** A head that an earlier run told. */
  readonly knownHead?: ChainPlace | null;
  readonly showProgress?: (message: string) => void;
}

/**
 * Proves that the audit log holds every entry since the last prune, unchanged and in order, as far
 * as its chain, its checkpoints and a known head can tell (decision 0034). Goes on after a fault
 * with the stored hash, so that each fault is told once. Entries that are appended meanwhile are
 * verified, too.
 */
export async function verifyAuditLog(deps: VerifyDeps): Promise<Verification> {
  const { db, secretsKey, knownHead = null, showProgress = () => {} } = deps;
  const faults = createFaults();
  const headAtFirst = await findAuditHead(db);
  const checkpoints = await listCheckpoints(db);
  const signed = checkpoints.filter((checkpoint) => {
    if (isSignedByUs(secretsKey, checkpoint)) return true;
    faults.add(`The checkpoint at ${checkpoint.position} is not signed with this SECRETS_KEY.`);
    return false;
  });
  const start = signed.findLast(({ isStart }) => isStart) ?? { position: 0n, hash: FIRST_HASH };
  const known: (ChainPlace & { readonly name: string })[] = signed
    .filter(({ position }) => position > start.position)
    .map(({ position, hash }) => ({ position, hash, name: 'the checkpoint' }));
  if (headAtFirst) known.push({ ...headAtFirst, name: 'the head' });
  else faults.add('The row of audit_log_head is gone.');
  if (knownHead) known.push({ ...knownHead, name: 'the known head' });

  const left = await countAuditUpTo(db, start.position);
  if (left > 0) {
    faults.add(
      `${countText(left, 'entry', 'entries')} at ${start.position} or before, where a prune ` +
        'ended: run payreq audit prune again.',
    );
  }
  const { entries, head } = await walkChain(db, start, known, faults, showProgress);
  for (const { position, name } of known) {
    if (position > head.position) {
      faults.add(`${missing(head.position + 1n, position)}: ${name} is beyond the last entry.`);
    } else if (position < start.position) {
      faults.add(`${sentence(name)} is before ${start.position}, where the log now begins.`);
    }
  }
  return { entries, faults: faults.kept, faultCount: faults.total(), start, head };
}

async function walkChain(
  db: Executor,
  start: ChainPlace,
  known: readonly (ChainPlace & { readonly name: string })[],
  faults: Faults,
  showProgress: (message: string) => void,
): Promise<{ entries: number; head: ChainPlace }> {
  const compare = (place: ChainPlace) => {
    for (const { position, hash, name } of known) {
      if (position === place.position && !hash.equals(place.hash)) {
        faults.add(`The chain was computed again: entry ${position} differs from ${name}.`);
      }
    }
  };
  compare(start);
  let head = start;
  let entries = 0;
  let after = { position: `${start.position}`, id: '9223372036854775807' };
  for (;;) {
    const page = await pageOfAudit(db, after, PAGE_SIZE);
    for (const entry of page) {
      head = follow(head, entry, faults);
      compare(head);
      after = entry;
    }
    entries += page.length;
    showProgress(countText(entries, 'entry', 'entries'));
    if (page.length < PAGE_SIZE) return { entries, head };
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

function createFaults() {
  const kept: string[] = [];
  let total = 0;
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

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
