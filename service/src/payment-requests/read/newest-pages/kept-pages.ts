import type { Clock } from '#lib/clock.ts';
import type { FoundPage } from './pages-store.ts';

/** A row and its share of the body take 3 kB: 15 MB for the first pages of 240 merchants. */
const MOST_ROWS = 5_000;
/** So many characters of metadata take, in a row and in its body, what a row takes. */
const METADATA_OF_A_ROW = 500;
/**
 * A page that is older is read again: a history of the database that ended, which gives the numbers
 * of transactions out again, is never compared with. The next page that is kept frees its memory.
 */
const LIFETIME_MS = 60_000;

interface Kept {
  readonly page: FoundPage;
  readonly readAtMs: number;
}

/** The pages that were read last, in the order of their readings. */
export class KeptPages {
  readonly #clock: Pick<Clock, 'steadyMs'>;
  readonly #pages = new Map<string, Kept>();
  #rows = 0;

  constructor(clock: Pick<Clock, 'steadyMs'>) {
    this.#clock = clock;
  }

  get(key: string): FoundPage | null {
    const kept = this.#pages.get(key);
    return kept && this.#isFresh(kept) ? kept.page : null;
  }

  /** Keeps a page that was read now. */
  set(key: string, page: FoundPage): void {
    this.#drop(key);
    this.#pages.set(key, { page, readAtMs: this.#clock.steadyMs() });
    this.#rows += weightOf(page);
    for (const [oldest, kept] of this.#pages) {
      if (this.#rows <= MOST_ROWS && this.#isFresh(kept)) break;
      this.#drop(oldest);
    }
  }

  #isFresh({ readAtMs }: Kept): boolean {
    return this.#clock.steadyMs() - readAtMs < LIFETIME_MS;
  }

  #drop(key: string): void {
    const kept = this.#pages.get(key);
    if (kept) this.#rows -= weightOf(kept.page);
    this.#pages.delete(key);
  }
}

/** A page without rows counts, too. */
function weightOf({ rows }: FoundPage): number {
  return rows.reduce(
    (sum, { metadata }) => sum + 1 + charactersOf(metadata) / METADATA_OF_A_ROW,
    1,
  );
}

function charactersOf(metadata: Readonly<Record<string, string>> | null | undefined): number {
  return Object.values(metadata ?? {}).reduce((sum, { length }) => sum + length, 0);
}
