import { readdir } from 'node:fs/promises';
import { signingKeyStates } from '#access/signing-key-states.ts';
import { listSigningKeys } from '#access/signing-key-store.ts';
import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { isPepperOfCredentials } from '#merchants/credentials-check-store.ts';
import { TRANSITIONS } from '#payment-requests/payment-request-states.ts';
import { createReadinessProbe } from '#telemetry/readiness.ts';
import { auditWholeOutbox } from './audit-whole-outbox.ts';
import { findEnvironment } from './deployment-store.ts';
import {
  countEventsAhead,
  type Found,
  findOverdueDeliveries,
  findStuckLeases,
  listMigrations,
  listTransitions,
  readDatabaseClock,
} from './doctor-store.ts';
import { findUnreadableSecrets } from './find-unreadable-secrets.ts';

/** Above this, tokens and leases of one machine begin to look odd to another. */
const MOST_SKEW_MS = 2_000;
/** Senders look every second; what is due for a minute is looked at by nobody. */
const OVERDUE_SECONDS = 60;

export interface Patient {
  readonly db: Database;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly secretsKey: RotatingKey;
  readonly credentialsPepper: RotatingKey;
  readonly retentionEventsDays: number;
}

/** What a check found: fine or not, in a sentence that says what to do. */
export interface Verdict {
  readonly ok: boolean;
  readonly message: string;
}

export interface Check {
  readonly name: string;
  readonly run: (patient: Patient) => Promise<Verdict>;
}

/** Everything `payreq doctor` looks at, in this order; the first one is what the others need. */
export const CHECKS: readonly Check[] = [
  { name: 'database', run: checkDatabase },
  { name: 'environment', run: checkEnvironment },
  { name: 'schema', run: checkSchema },
  { name: 'clock', run: checkClock },
  { name: 'secrets', run: checkSecrets },
  { name: 'pepper', run: checkPepper },
  { name: 'signing key', run: checkSigningKey },
  { name: 'outbox', run: checkOutbox },
  { name: 'deliveries', run: checkDeliveries },
  { name: 'leases', run: checkLeases },
  { name: 'feed', run: checkFeed },
];

async function checkDatabase({ db }: Patient): Promise<Verdict> {
  const readiness = await createReadinessProbe(db).check();
  if (readiness.ready) return fine('The database is reachable and accepts writes.');
  return fault(`Not ready: ${readiness.reason}.`);
}

async function checkEnvironment({ db, environment }: Patient): Promise<Verdict> {
  const found = await findEnvironment(db);
  if (found === environment) return fine(`The database belongs to the ${environment}.`);
  return fault(`The database belongs to the ${found}, but ENVIRONMENT is ${environment}.`);
}

async function checkSchema({ db }: Patient): Promise<Verdict> {
  const files = await readdir(new URL('../../migrations/', import.meta.url));
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
  return fine(`The schema is up to date (${applied.at(-1) ?? 'empty'}).`);
}

async function checkClock({ db, clock }: Patient): Promise<Verdict> {
  const before = clock.now().getTime();
  const database = (await readDatabaseClock(db)).getTime();
  const middle = (before + clock.now().getTime()) / 2;
  const skewMs = Math.round(database - middle);
  const inWords = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return fine(`The database's clock is ${inWords}.`);
  return fault(`The database's clock is ${inWords}. Synchronise both (NTP).`);
}

async function checkSecrets({ db, secretsKey }: Patient): Promise<Verdict> {
  const { checked, unreadable } = await findUnreadableSecrets(db, secretsKey);
  if (unreadable.length === 0) return fine(`Every encrypted secret can be read (${checked}).`);
  return fault(
    `${unreadable.length} of ${checked} encrypted secrets cannot be read with this SECRETS_KEY: ` +
      `${examplesOf(unreadable)}.`,
  );
}

async function checkPepper({ db, credentialsPepper }: Patient): Promise<Verdict> {
  const isRight = await isPepperOfCredentials(db, credentialsPepper);
  if (isRight) return fine('Passwords and API keys are hashed with this CREDENTIALS_PEPPER.');
  if (isRight === null) return fine('There is nothing to tell the CREDENTIALS_PEPPER by.');
  return fault(
    'Passwords and API keys are hashed with another CREDENTIALS_PEPPER: nobody can sign in.',
  );
}

async function checkSigningKey({ db, clock }: Patient): Promise<Verdict> {
  const states = signingKeyStates(await listSigningKeys(db), clock.now());
  const signing = states.find(({ state }) => state === 'SIGNING');
  if (signing) return fine(`Key ${signing.key.keyId} signs access tokens.`);
  return fault('No key signs access tokens. Run payreq keys rotate.');
}

async function checkOutbox({ db, retentionEventsDays }: Patient): Promise<Verdict> {
  const { paymentRequests, owedEvents, brokenIds } = await auditWholeOutbox(
    db,
    retentionEventsDays,
  );
  const looked = `${owedEvents} status changes of ${paymentRequests} payment requests owe an event`;
  if (brokenIds.length === 0) return fine(`${looked}, and each has its own.`);
  return fault(`${looked}; it is missing or wrong for ${examplesOf(brokenIds)}.`);
}

async function checkDeliveries({ db }: Patient): Promise<Verdict> {
  const found = await findOverdueDeliveries(db, OVERDUE_SECONDS);
  if (found.count === 0) return fine('No webhook delivery waits longer than it should.');
  return fault(
    `${count(found)} due for more than ${OVERDUE_SECONDS} s and nobody sends: ` +
      `${examplesOf(found.examples ?? [])}. Does a process with the background role run?`,
  );
}

async function checkLeases({ db }: Patient): Promise<Verdict> {
  const found = await findStuckLeases(db, OVERDUE_SECONDS);
  if (found.count === 0) return fine('No lease of a sender is stuck.');
  return fault(
    `${count(found)} leased by a sender that is gone, and nobody took over: ` +
      `${examplesOf(found.examples ?? [])}. Does a process with the background role run?`,
  );
}

async function checkFeed({ db }: Patient): Promise<Verdict> {
  const ahead = await countEventsAhead(db);
  if (ahead === 0) return fine('No event is ahead of what the feed can show.');
  const events = ahead === 1 ? '1 event' : `${ahead} events`;
  return fault(
    `The feed hides ${events}: their places count the transactions of another server, from which ` +
      'the database was restored. docs/operations says what to run.',
  );
}

function count({ count: number }: Found): string {
  return number === 1 ? '1 webhook delivery is' : `${number} webhook deliveries are`;
}

function examplesOf(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}

function fine(message: string): Verdict {
  return { ok: true, message };
}

function fault(message: string): Verdict {
  return { ok: false, message };
}
