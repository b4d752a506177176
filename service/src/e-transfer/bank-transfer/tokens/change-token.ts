import { createHash } from 'node:crypto';
import type { Database, Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { FileActRefused } from '../../file-act-refused.ts';
import type { FileActor, FileActPolicy, TokenRow } from '../../network-connection.ts';
import { approveToken, insertToken, lockToken, type NewToken, revokeToken } from './token-store.ts';

export const hashOfToken = (secret: string): Buffer => createHash('sha256').update(secret).digest();

type TokenDeps = Omit<FileActPolicy, 'needsTwo'> & { readonly db: Database };

/** Stores a token, which counts at once, or as soon as a second person has approved it. */
export async function createToken(
  { db, audit, needsTwo }: TokenDeps & FileActPolicy,
  token: NewToken,
  actor: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await insertToken(tx, { ...token, createdBy: actor, approvedBy: needsTwo ? null : actor });
    const { id, scope, accounts, sources, days } = token;
    await audit(tx, 'BANK_TOKEN_CREATED', { tokenId: id, scope, accounts, sources, days });
  });
}

/**
 * Approves a token as its second person.
 *
 * @throws FileActRefused
 */
export async function approveAsSecond(
  deps: TokenDeps,
  id: string,
  { actor, isProven }: FileActor,
): Promise<void> {
  await change(deps, id, 'BANK_TOKEN_APPROVED', async (tx, { state, createdBy }) => {
    if (state !== 'UNAPPROVED') throw new FileActRefused('bankToken.state', { state });
    if (!isProven || createdBy === actor) {
      throw new FileActRefused('bankToken.second');
    }
    await approveToken(tx, id, actor);
  });
}

/** @throws FileActRefused */
export async function endToken(deps: TokenDeps, id: string): Promise<void> {
  await change(deps, id, 'BANK_TOKEN_REVOKED', async (tx, { state }) => {
    if (state === 'REVOKED') throw new FileActRefused('bankToken.state', { state });
    await revokeToken(tx, id);
  });
}

async function change(
  { db, audit }: TokenDeps,
  id: string,
  action: 'BANK_TOKEN_APPROVED' | 'BANK_TOKEN_REVOKED',
  act: (tx: Executor, token: TokenRow) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const token = isId(id) ? await lockToken(tx, id) : null;
    if (!token) throw new FileActRefused('bankToken.unknown');
    await act(tx, token);
    await audit(tx, action, { tokenId: id, scope: token.scope, accounts: token.accounts });
  });
}
