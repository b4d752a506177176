import { once } from 'node:events';
import { Command } from 'commander';
import { exportAuditLog } from '#audit/export-audit-log.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { readPosition } from './options.ts';

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
        for await (const lines of exportAuditLog(db, after)) {
          if (!(await writeToReader(invocation, lines))) return;
        }
      });
    });
}

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
