import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { grantText } from '#console/model/roles.ts';
import { endSessions, listOpenSessions, type OpenSession } from '#console/sessions/end-sessions.ts';
import type { SessionChoice } from '#console/sessions/session-store.ts';
import { isId } from '#lib/new-id.ts';
import { countText } from '#lib/words/count-text.ts';

/** `payreq console sessions list`: who is signed in to the console. */
export function sessionsListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('print the open sessions of the console, newest first, up to 200')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const sessions = await withDeployment(invocation, command, (deployment) =>
        listOpenSessions(deployment),
      );
      printResult(invocation, options, { sessions: sessions.map(toEntry) }, inWords(sessions));
    });
}

interface EndOptions {
  readonly session?: string;
  readonly person?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `payreq console sessions end`: the sessions end at their next page. */
export function sessionsEndCommand(invocation: Invocation): Command {
  return new Command('end')
    .description('end sessions of the console; they end at their next page')
    .option('--session <id>', 'this session')
    .option('--person <subject>', 'every session of this person, by the subject')
    .option('--all', 'every session; asks first')
    .option('--yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .action(async (options: EndOptions, command: Command) => {
      const choice = choiceOf(options);
      if (!choice) return command.error('error: give one of --session, --person and --all');
      if (options.session !== undefined && !isId(options.session)) {
        return command.error('error: --session is no id of a session');
      }
      if (options.all) {
        refuseUnconfirmed(invocation, command, options);
        await confirm(invocation, options, 'End every session of the console?');
      }
      const ended = await withDeployment(invocation, command, (deployment) =>
        endSessions(deployment, choice, deployment.actor),
      );
      printResult(invocation, options, { ended }, [
        ended === 0 ? 'There is no such open session.' : `${countText(ended, 'session')} ended.`,
      ]);
    });
}

function choiceOf({ session, person, all }: EndOptions): SessionChoice | undefined {
  const choices: SessionChoice[] = [
    ...(session !== undefined ? [{ id: session }] : []),
    ...(person !== undefined ? [{ subject: person }] : []),
    ...(all ? [{}] : []),
  ];
  return choices.length === 1 ? choices[0] : undefined;
}

function toEntry(session: OpenSession) {
  const { id, kind, issuer, subject, name, grants } = session;
  return {
    ...{ id, kind, issuer, subject, name },
    roles: grants.map(grantText),
    createdDateTime: session.createdAt.toISOString(),
    signedInDateTime: session.signedInAt.toISOString(),
    seenDateTime: session.seenAt.toISOString(),
    endsDateTime: session.endsAt.toISOString(),
  };
}

function inWords(sessions: readonly OpenSession[]): string[] {
  if (sessions.length === 0) return ['No person is signed in.'];
  return alignColumns([
    ['SESSION', 'NAME', 'SUBJECT', 'ROLES', 'LAST PAGE', 'ENDS'],
    ...sessions.map(({ id, name, subject, grants, seenAt, endsAt }) => [
      ...[id, name, subject, grants.map(grantText).join(' ')],
      ...[seenAt, endsAt].map((at) => at.toISOString().slice(0, 16)),
    ]),
  ]);
}
