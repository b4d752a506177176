import { createHash } from 'node:crypto';
import type { Visit } from '#console/shell/visit.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';

/** An address has room for them; a longer text is a pasted link, which the page need not repeat. */
const LONGEST_KEPT = 200;
const CONTEXT = 'console:search';

/**
 * The searched words for the address of their results. Only the session that searched can open
 * them: they may be a payer's data (decision 0070). Empty: there are none to keep.
 */
export function sealWords(visit: Pick<Visit, 'csrf'>, words: string): string {
  const text = words.trim();
  if (text === '' || text.length > LONGEST_KEPT) return '';
  return encryptSecret(keyOf(visit), text, CONTEXT).toString('base64url');
}

/** Empty: the address has no words of this session. */
export function openWords(visit: Pick<Visit, 'csrf' | 'query'>): string {
  const sealed = visit.query.get('words') ?? '';
  try {
    return sealed && decryptSecret(keyOf(visit), Buffer.from(sealed, 'base64url'), CONTEXT);
  } catch {
    return '';
  }
}

/** The token of the session's forms is of the session's secret, and ends with the session. */
function keyOf({ csrf }: Pick<Visit, 'csrf'>) {
  return { current: createHash('sha256').update(`search ${csrf}`).digest(), previous: null };
}
