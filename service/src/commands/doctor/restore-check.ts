import { findOpenRestore } from '#database/restores/restore-store.ts';
import { type CheckDeps, fine, type Verdict, warning } from './verdict.ts';

/** Refunds do not wait for an operator who has forgotten a restore (decision 0063). */
export async function checkRestore({ db }: CheckDeps): Promise<Verdict> {
  const restore = await findOpenRestore(db);
  if (restore === null) return fine('No restore holds refunds.');
  return warning(
    `The database was restored to ${restore.endsAt.toISOString()}, and refunds are held: ` +
      'run payreq restore-check, then payreq restore-check --release.',
  );
}
