import { once } from 'node:events';
import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { entryContent } from './entry-hash.ts';
import { entryMembers } from './list.ts';
import { readPosition } from './options.ts';
import { pageOfAudit } from './read-store.ts';

/** Some megabyte of lines in memory at a time. */
const PAGE_SIZE = 1_000;
const AFTER_ALL_IDS = '9223372036854775807';

/** `payreq audit export`: the audit log as JSON lines, to keep it off this machine. */
export function auditExportCommand(invocation: Invocation): Command {
  return new Command('export')
    .description(
      'write the audit log as JSON lines, the oldest first; "hash" is the SHA-256 of the ' +
        'previous hash (32 bytes) and "content"',
    )
    .option('--after <position>', 'entries after this position, to continue', readPosition, '0')
    .action(async ({ after }: { after: string }, command: Command) => {
      await withDeployment(invocation, command, async ({ db }) => {
        let place = { position: after, id: AFTER_ALL_IDS };
        for (;;) {
          const page = await pageOfAudit(db, place, PAGE_SIZE);
          for (const entry of page) {
            const line = { ...entryMembers(entry), content: entryContent(entry) };
            if (!invocation.stdout.write(`${JSON.stringify(line)}\n`)) {
              await once(invocation.stdout, 'drain');
            }
            place = entry;
          }
          if (page.length < PAGE_SIZE) return;
        }
      });
    });
}
