import { once } from 'node:events';
import { entryMembers } from '#audit/entry-members.ts';
import { exportAuditLog } from '#audit/export-audit-log.ts';
import { listAudit } from '#audit/read-store.ts';
import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { option, usual } from '#commands/cli/inputs.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { countText } from '#lib/words/count-text.ts';
import { headText, readHead, readInstant, readLimit, readPosition } from './options.ts';
import { checkpoint, prune } from './prune.ts';

/** A statement reads so many rows in milliseconds; `audit export` gives all. */
const MOST_LISTED = 1_000;

const list = defineCommand({
  summary: 'list acts on access and destinations, the newest first',
  options: {
    merchant: option('<id>', 'entries about this merchant'),
    action: option('<name>', 'entries of this action, as in PAYER_ERASED'),
    actor: option('<text>', 'entries whose actor contains this text, in any case'),
    since: option('<instant>', 'entries of this day or instant, and later', readInstant),
    until: option('<instant>', 'entries before this day or instant', readInstant),
    before: option('<position>', 'entries before this position, to continue', readPosition),
    limit: usual(50, '<n>', `number of entries, at most ${MOST_LISTED}`, readLimit(MOST_LISTED)),
  },
  async run({ db }, { merchant: merchantId, ...options }) {
    const found = await listAudit(db, { ...options, merchantId });
    return { entries: found.map(entryMembers) };
  },
  print: ({ entries }) =>
    entries.length === 0
      ? 'No entry matches.'
      : alignColumns(
          entries.map((entry) => [
            `${entry.position}`,
            entry.occurredAt,
            entry.actor,
            entry.action,
            entry.merchantId ?? '-',
            JSON.stringify(entry.details),
          ]),
        ),
});

const verify = defineCommand({
  summary: 'prove that no entry of the audit log was changed, deleted or inserted',
  options: {
    head: option('<head>', 'the head of an earlier run, kept outside the database', readHead),
  },
  async run({ db, secretsKey }, { head: knownHead }, { showProgress }) {
    const { start, head, ...found } = await verifyAuditLog({
      ...{ db, secretsKey, knownHead, showProgress },
    });
    const { entries, faults, faultCount } = found;
    const heads = { start: headText(start), head: headText(head) };
    return { ok: faultCount === 0, entries, faults, faultCount, ...heads };
  },
  print({ ok, entries, faults, faultCount, head }) {
    const more = faultCount - faults.length;
    const whole =
      entries === 1
        ? '1 entry is as it was written.'
        : `${entries} entries are as they were written.`;
    return [
      ...faults.map((fault) => `FAIL ${fault}`),
      ...(more > 0 ? [`FAIL ${countText(more, 'more fault')}.`] : []),
      ok ? whole : `Verified ${countText(entries, 'entry', 'entries')}.`,
      `Head: ${head}`,
    ];
  },
  fails: ({ ok }) => !ok,
});

const exported = defineCommand({
  summary:
    'write the audit log as JSON lines, the oldest first; "hash" is the SHA-256 of the ' +
    'previous hash (32 bytes) and "content"',
  options: {
    after: usual('0', '<position>', 'entries after this position, to continue', readPosition),
  },
  async run({ db }, { after }, shell) {
    for await (const lines of exportAuditLog(db, after)) {
      if (!(await writeToReader(shell, lines))) return;
    }
  },
});

/** @returns false: the reader has gone */
async function writeToReader({ stdout }: Invocation, text: string): Promise<boolean> {
  if (stdout.write(text)) return true;
  try {
    await once(stdout, 'drain');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return false;
    throw error;
  }
}

/** `payreq audit`: every command about the audit log. */
export const auditCommand = defineNoun('the log of acts on access and destinations', {
  list,
  verify,
  export: exported,
  checkpoint,
  prune,
});
