import { createHash } from 'node:crypto';
import type { Database, Executor } from '#database/database.ts';
import { type BankConnection, payingConnection } from '#lib/bank/bank-connection.ts';
import { isId } from '#lib/new-id.ts';
import { FileActRefused } from '../../file-act-refused.ts';
import type { FileActor, FileActPolicy, TokenRow } from '../../network-connection.ts';
import { approveToken, insertToken, lockToken, type NewToken, revokeToken } from './token-store.ts';

export const hashOfToken = (secret: string): Buffer => createHash('sha256').update(secret).digest();

type TokenDeps = Omit<FileActPolicy, 'needsTwo'> & { readonly db: Database };

/** BANK_SFTP_…: an account that pays by a connection has its one way. */
interface Ways {
  readonly connections: readonly BankConnection[];
}

/**
 * Stores a token, which counts at once, or as soon as a second person has approved it.
 *
 * @throws FileActRefused
 */
export async function createToken(
  { db, audit, needsTwo, connections }: TokenDeps & FileActPolicy & Ways,
  token: NewToken,
  actor: string,
): Promise<void> {
  refuseSecondWay(connections, token);
  await db.transaction(async (tx) => {
    await insertToken(tx, { ...token, createdBy: actor, approvedBy: needsTwo ? null : actor });
    const { id, scope, accounts, sources, days } = token;
    await audit(tx, 'BANK_TOKEN_CREATED', { tokenId: id, scope, accounts, sources, days });
  });
}

function refuseSecondWay(
  connections: Ways['connections'],
  { scope, accounts }: Pick<NewToken, 'scope' | 'accounts'>,
): void {
  if (scope !== 'payment-files/send') return;
  const taken = accounts.find((each) => payingConnection(connections, each));
  if (taken) throw new FileActRefused('bankToken.way', { account: `…${taken.slice(-4)}` });
}

/**
 * Approves a token as its second person. The settings may have changed since it was created.
 *
 * @throws FileActRefused
 */
export async function approveAsSecond(
  deps: TokenDeps & Ways,
  id: string,
  { actor, isProven }: FileActor,
): Promise<void> {
  await change(deps, id, 'BANK_TOKEN_APPROVED', async (tx, token) => {
    const { state, createdBy } = token;
    if (state !== 'UNAPPROVED') throw new FileActRefused('bankToken.state', { state });
    refuseSecondWay(deps.connections, token);
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
