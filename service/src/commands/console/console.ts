import { Option } from 'commander';
import { tableOf } from '#commands/cli/align-columns.ts';
import { refuseUnconfirmed } from '#commands/cli/confirm.ts';
import { defineCommand, defineNoun, defineTool } from '#commands/cli/define-command.ts';
import { CONFIRM, flag, type Input, option, required, UsageFault } from '#commands/cli/inputs.ts';
import { openDeployment } from '#commands/cli/with-deployment.ts';
import { grantText, parseGrant, ROLES } from '#console/model/roles.ts';
import type { SessionChoice } from '#console/sessions/session-store.ts';
import { endSessions, listOpenSessions, type OpenSession } from '#console/sessions/sessions.ts';
import { createSignInLink, linkAddress } from '#console/sign-in/links.ts';
import { isId } from '#lib/new-id.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** Names and e-mail addresses; no character that could forge another part of an audit entry. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+'’-]{0,99}$/u;

const ROLE: Input<string> = {
  declare: () =>
    new Option('--role <role>', 'the role of the person').choices(ROLES).makeOptionMandatory(),
};

const link = defineTool({
  summary: 'print an address that signs one person in to the console, once, for 10 minutes',
  options: {
    role: ROLE,
    person: required('<name>', 'the name of the person, for the audit log'),
    merchant: option('<id>', 'the merchant, for a role of a merchant'),
  },
  async run({ role, person: name, merchant }, shell) {
    if (!NAME.test(name)) throw new UsageFault('--person is no name of up to 100 letters');
    const grant = parseGrant(merchant === null ? role : `${role}@${merchant}`);
    if (!grant) {
      throw new OperatorFault(
        merchant === null
          ? `The role ${role} needs --merchant.`
          : `The role ${role} covers the whole deployment and takes no --merchant.`,
      );
    }
    return openDeployment(shell, async (deployment) => {
      const { actor, publicApiUrl } = deployment;
      const { token, expiresAt } = await createSignInLink(deployment, { name, grant, actor });
      const url = linkAddress(new URL(publicApiUrl).origin, token);
      return { url, expiresDateTime: expiresAt.toISOString() };
    });
  },
  print: ({ url, expiresDateTime }, { person }) => [
    url,
    `It signs ${person} in once, until ${expiresDateTime}.`,
  ],
});

const list = defineCommand({
  summary: 'print the open sessions of the console, newest first, up to 200',
  run: async (deployment) => ({ sessions: (await listOpenSessions(deployment)).map(toEntry) }),
  print: ({ sessions }) =>
    tableOf(
      'No person is signed in.',
      ['SESSION', 'NAME', 'SUBJECT', 'ROLES', 'LAST PAGE', 'ENDS'],
      sessions.map(({ id, name, subject, roles, seenDateTime, endsDateTime }) => [
        ...[id, name, subject, roles.join(' ')],
        ...[seenDateTime, endsDateTime].map((at) => at.slice(0, 16)),
      ]),
    ),
});

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

const end = defineTool({
  summary: 'end sessions of the console; they end at their next page',
  options: {
    session: option('<id>', 'this session'),
    person: option('<subject>', 'every session of this person, by the subject'),
    all: flag('every session; asks first'),
    yes: CONFIRM.yes,
  },
  async run({ session, person, all }, shell) {
    const choices: SessionChoice[] = [
      ...(session !== null ? [{ id: session }] : []),
      ...(person !== null ? [{ subject: person }] : []),
      ...(all ? [{}] : []),
    ];
    const [choice] = choices;
    if (!choice || choices.length > 1) {
      throw new UsageFault('give one of --session, --person and --all');
    }
    if (session !== null && !isId(session)) {
      throw new UsageFault('--session is no id of a session');
    }
    if (all) {
      refuseUnconfirmed(shell);
      await shell.confirm('End every session of the console?');
    }
    return openDeployment(shell, async (deployment) => ({
      ended: await endSessions(deployment, choice, deployment.actor),
    }));
  },
  print: ({ ended }) =>
    ended === 0 ? 'There is no such open session.' : `${countText(ended, 'session')} ended.`,
});

/** `payreq console`: every command about people of the console. */
export const consoleCommand = defineNoun('the console: one-time links and sessions of people', {
  link,
  sessions: defineNoun('who is signed in to the console', { list, end }),
});
