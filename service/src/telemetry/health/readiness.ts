import { type Database, DatabaseUnavailable } from '#database/database.ts';
import { proveWritable } from './health-store.ts';

/** Contract §1: readiness proves that writes are possible; within 2 s, or probes pile up. */
const PROBE_TIMEOUT_MS = 2_000;
/**
 * Writes that may hang at the same time: each holds one connection of the pool, for 12 s at most.
 */
const MOST_WRITES = 2;

export type Readiness =
  /** The warnings are for operators; a load balancer ignores them. */
  | { readonly ready: true; readonly warnings?: readonly string[] }
  | { readonly ready: false; reason: string };

/** SQLSTATE classes, the most specific first, with a sentence for operators. */
const REASONS: readonly { readonly code: RegExp; readonly reason: string }[] = [
  { code: /^25006$/, reason: 'the database is read-only: a standby, or a demoted primary' },
  { code: /^42P01$/, reason: 'the database has no schema yet: run payreq migrate' },
  { code: /^53100$/, reason: 'the database’s disk is full' },
  { code: /^53300$/, reason: 'the database has no connection left' },
  { code: /^28|^3D/, reason: 'the database does not let this service in: check DATABASE_URL' },
  { code: /^57P/, reason: 'the database is starting up or shutting down' },
  { code: /^42501$/, reason: 'the database does not allow this service to write' },
];

/**
 * Decides readiness by a real write. Overlapping probes share a write for 2 s. A write that hangs
 * longer is left to its own end, and the next probe starts another write beside it.
 */
export function createReadinessProbe(db: Database) {
  let latest: Promise<Readiness> | undefined;
  let writes = 0;

  function write(): Promise<Readiness> {
    writes += 1;
    return checkReadiness(db).finally(() => {
      writes -= 1;
    });
  }

  function probe(): Promise<Readiness> {
    if (latest) return latest;
    if (writes >= MOST_WRITES) return Promise.resolve(LATE);
    const shared = inTime(write()).finally(() => {
      latest = undefined;
    });
    latest = shared;
    return shared;
  }

  return {
    /** Whether the service can work now; answers within 2 s. */
    check: probe,
  };
}

const LATE: Readiness = {
  ready: false,
  reason: `the database did not take a write within ${PROBE_TIMEOUT_MS / 1e3} s`,
};

async function inTime(verdict: Promise<Readiness>): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve(LATE), PROBE_TIMEOUT_MS);
  });
  return Promise.race([verdict, late]).finally(() => clearTimeout(timer));
}

async function checkReadiness(db: Database): Promise<Readiness> {
  try {
    if (await proveWritable(db)) return { ready: true };
    return { ready: false, reason: 'the database is not set up yet: run payreq migrate' };
  } catch (error) {
    return { ready: false, reason: reasonOf(error) };
  }
}

/** A fault of the database in words for an operator. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = REASONS.find((one) => one.code.test(code));
  if (known) return known.reason;
  return `the database cannot be used${code === '' ? '' : ` (${code})`}`;
}
