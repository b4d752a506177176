import { findEnvironment } from '#commands/cli/deployment-store.ts';
import { createReadinessProbe } from '#telemetry/health/readiness.ts';
import { readDatabaseClock } from './server-store.ts';
import { type CheckDeps, fault, fine, type Verdict } from './verdict.ts';

/** Above this, tokens and leases of one machine begin to look odd to another. */
const MOST_SKEW_MS = 2_000;

export async function checkDatabase({ db }: CheckDeps): Promise<Verdict> {
  const readiness = await createReadinessProbe(db).check();
  if (readiness.ready) return fine('The database is reachable and accepts writes.');
  return fault(`Not ready: ${readiness.reason}.`);
}

export async function checkEnvironment({ db, environment }: CheckDeps): Promise<Verdict> {
  const found = await findEnvironment(db);
  if (found === environment) return fine(`The database belongs to the ${environment} environment.`);
  return fault(
    `The database belongs to the ${found} environment, but ENVIRONMENT is ${environment}.`,
  );
}

export async function checkClock({ db, clock }: Pick<CheckDeps, 'db' | 'clock'>): Promise<Verdict> {
  const before = clock.now().getTime();
  const database = (await readDatabaseClock(db)).getTime();
  const middle = (before + clock.now().getTime()) / 2;
  const skewMs = Math.round(database - middle);
  const distance = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return fine(`The database's clock is ${distance}.`);
  return fault(`The database's clock is ${distance}. Synchronise both (NTP).`);
}
