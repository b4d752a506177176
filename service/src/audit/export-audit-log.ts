import type { Executor } from '#database/database.ts';
import { actorForMerchant } from './actor-for-merchant.ts';
import { entryContent } from './entry-hash.ts';
import { entryMembers } from './entry-members.ts';
import { pageOfAudit, pageOfMerchantAudit } from './read-store.ts';

/** Some 10 ms of the processor, so that other calls wait no longer for an export. */
const PAGE_SIZE = 200;
const AFTER_ALL_IDS = '9223372036854775807';

/**
 * Yields the audit log as JSON lines, the oldest first, a page of lines at a time. `hash` is the
 * SHA-256 of the previous hash (32 bytes) and `content`.
 *
 * @param after the position after which the export begins; `0`: all entries
 */
export async function* exportAuditLog(db: Executor, after: string): AsyncGenerator<string> {
  let place = { position: after, id: AFTER_ALL_IDS };
  for (;;) {
    const page = await pageOfAudit(db, place, PAGE_SIZE);
    const lines = page.map((entry) =>
      JSON.stringify({ ...entryMembers(entry), content: entryContent(entry) }),
    );
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
    place = page.at(-1) ?? place;
    if (page.length < PAGE_SIZE) return;
  }
}

/**
 * Yields a merchant's own entries as JSON lines. Positions and hashes are left out: both belong to
 * the log of all merchants, and would tell how much others do. Accounts of operators' commands are
 * left out, too.
 */
export async function* exportMerchantAudit(
  db: Executor,
  merchantId: string,
): AsyncGenerator<string> {
  let after = '0';
  for (;;) {
    const page = await pageOfMerchantAudit(db, merchantId, after, PAGE_SIZE);
    const lines = page.map((entry) => {
      const { position: _, hash: __, actor, ...members } = entryMembers(entry);
      return JSON.stringify({ ...members, actor: actorForMerchant(actor) });
    });
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
    after = page.at(-1)?.position ?? after;
    if (page.length < PAGE_SIZE) return;
  }
}
