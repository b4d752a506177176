import { findEnvironment } from '#commands/cli/deployment-store.ts';
import schema from '#database/schema/schema.json' with { type: 'json' };
import { compareSchema, readSchema } from '#database/schema/schema-catalogue.ts';
import { OtherFilesFault, readSchemaState, SchemaFault } from '#database/schema/schema-state.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { createReadinessProbe } from '#telemetry/health/readiness.ts';
import { listTransitions, readDatabaseClock } from './server-store.ts';
import { type CheckDeps, type Checks, examplesOf, fault, fine, warning } from './verdict.ts';

/** Above this, tokens and leases of one machine begin to look odd to another. */
const MOST_SKEW_MS = 2_000;

/** The database server, and the schema of this version. */
export const SERVER_CHECKS = {
  async database({ db }) {
    const readiness = await createReadinessProbe(db).check();
    if (readiness.ready) return fine('The database is reachable and accepts writes.');
    return fault(`Not ready: ${readiness.reason}.`);
  },
  async environment({ db, environment }) {
    const found = await findEnvironment(db);
    if (found === environment)
      return fine(`The database belongs to the ${environment} environment.`);
    return fault(
      `The database belongs to the ${found} environment, but ENVIRONMENT is ${environment}.`,
    );
  },
  /** Migrations, the table of status changes, and every object that the migrations make. */
  async schema({ db }) {
    const state = await orFault(readSchemaState(db));
    if (state instanceof SchemaFault) return fault(state.message);
    const { missing, newer } = state;
    if (missing.length > 0) {
      return fault(`Not applied yet: ${missing.join(', ')}. Run payreq migrate.`);
    }
    if (newer.length > 0) {
      return warning(
        'The database is newer than this version, which works with it: it has ' +
          `${newer.join(', ')}. Its objects were not compared: run the doctor of the newer ` +
          'version.',
      );
    }
    const moves = (rows: readonly { readonly from: string | null; readonly to: string }[]) =>
      [...new Set(rows.map(({ from, to }) => `${from} ${to}`))].sort().join(', ');
    const ofCode = TRANSITIONS.filter(({ from }) => from !== null);
    if (moves(await listTransitions(db)) !== moves(ofCode)) {
      return fault('The database allows other changes of status than this version. Run migrate.');
    }
    const differences = compareSchema(schema, await readSchema(db));
    const sentences = [
      ...sentence('missing', differences.missing),
      ...sentence('not as the migrations made them', differences.different),
    ];
    if (sentences.length > 0) return fault(`${sentences.join(' ')} Compare with a new database.`);
    return fine(
      'The schema is up to date, with all of its ' +
        `${Object.keys(schema).length} columns, indexes, constraints, triggers and functions.`,
    );
  },
  async clock({ db, clock }: Pick<CheckDeps, 'db' | 'clock'>) {
    const before = clock.now().getTime();
    const database = (await readDatabaseClock(db)).getTime();
    const middle = (before + clock.now().getTime()) / 2;
    const skewMs = Math.round(database - middle);
    const distance = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`;
    if (Math.abs(skewMs) <= MOST_SKEW_MS) return fine(`The database's clock is ${distance}.`);
    return fault(`The database's clock is ${distance}. Synchronise both (NTP).`);
  },
} satisfies Checks;

async function orFault<Result>(work: Promise<Result>): Promise<Result | SchemaFault> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SchemaFault && !(error instanceof OtherFilesFault)) return error;
    throw error;
  }
}

function sentence(state: string, objects: readonly string[]): string[] {
  return objects.length === 0 ? [] : [`In the schema are ${state}: ${examplesOf(objects)}.`];
}
