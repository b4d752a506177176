import schema from '#database/schema/schema.json' with { type: 'json' };
import { compareSchema, readSchema } from '#database/schema/schema-catalogue.ts';
import { OtherFilesFault, readSchemaState, SchemaFault } from '#database/schema/schema-state.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { listTransitions } from './schema-store.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict, warning } from './verdict.ts';

/** Migrations, the table of status changes, and every object that the migrations make. */
export async function checkSchema({ db }: CheckDeps): Promise<Verdict> {
  const state = await orFault(readSchemaState(db));
  if (state instanceof SchemaFault) return fault(state.message);
  const { missing, newer } = state;
  if (missing.length > 0) {
    return fault(`Not applied yet: ${missing.join(', ')}. Run payreq migrate.`);
  }
  if (newer.length > 0) {
    return warning(
      `The database is newer than this version, which works with it: it has ${newer.join(', ')}. ` +
        'Its objects were not compared: run the doctor of the newer version.',
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
}

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
