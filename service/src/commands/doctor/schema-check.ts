import { readdir } from 'node:fs/promises';
import schema from '#database/schema.json' with { type: 'json' };
import { compareSchema, readSchema } from '#database/schema-catalogue.ts';
import { TRANSITIONS } from '#payment-requests/payment-request-states.ts';
import { listMigrations, listTransitions } from './schema-store.ts';
import { type CheckNeeds, examplesOf, fault, fine, type Verdict } from './verdict.ts';

/** Migrations, the table of status changes, and every object that the migrations make. */
export async function checkSchema({ db }: CheckNeeds): Promise<Verdict> {
  const files = await readdir(new URL('../../../migrations/', import.meta.url));
  const wanted = files.map((file) => file.replace(/\.sql$/, ''));
  const applied = await listMigrations(db);
  const missing = wanted.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !wanted.includes(name));
  if (missing.length > 0) {
    return fault(`Not applied yet: ${missing.sort().join(', ')}. Run payreq migrate.`);
  }
  if (unknown.length > 0) {
    return fault(`The database is newer than this version: it has ${unknown.join(', ')}.`);
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
    `The schema is up to date (${applied.at(-1) ?? 'empty'}), with all of its ` +
      `${Object.keys(schema).length} columns, indexes, constraints, triggers and functions.`,
  );
}

function sentence(state: string, objects: readonly string[]): string[] {
  return objects.length === 0 ? [] : [`In the schema are ${state}: ${examplesOf(objects)}.`];
}
