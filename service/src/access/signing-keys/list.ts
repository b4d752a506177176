import type { DatabaseDeps } from '#database/database.ts';
import { listSigningKeys } from './key-store.ts';
import { type SigningKeyState, signingKeyStates } from './states.ts';

/** A key of access tokens, without its private half. */
export interface ListedSigningKey {
  readonly keyId: string;
  readonly state: SigningKeyState;
  readonly signsFrom: Date;
  readonly createdAt: Date;
  readonly removedAt: Date | null;
}

/** The keys of access tokens and the use of each now, the newest first. */
export async function listSigningKeyStates({
  db,
  clock,
}: DatabaseDeps): Promise<ListedSigningKey[]> {
  const states = signingKeyStates(await listSigningKeys(db), clock.now());
  return states.map(({ key, state }) => {
    const { keyId, signsFrom, createdAt, removedAt } = key;
    return { keyId, state, signsFrom, createdAt, removedAt };
  });
}
