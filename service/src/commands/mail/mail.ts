import { defineNoun, defineTool } from '#commands/cli/define-command.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import { dkimKeyOf } from '#compose/messages/message-deps.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { findMailServerFault } from '#messages/mail/check/check-mail.ts';
import { dnsRecordsOf, zoneLine } from '#messages/mail/check/dns-records.ts';
import { findPublished, type PublishedRecord } from '#messages/mail/check/published-records.ts';
import { isLoopback } from '#settings/read-addresses.ts';

const check = defineTool({
  summary:
    'connect to the mail server and sign in, without a mail, and print the lines of SPF, DKIM ' +
    'and DMARC to publish, with what the DNS has for each; exit code 1 where the server does not ' +
    'take the service',
  async run(_, shell) {
    const config = readSettings(shell);
    const { mailSmtpUrl: server, mailFrom: from, mailBounceDomain: bounceDomain } = config;
    if (server === null || from === null) {
      throw new OperatorFault('MAIL_SMTP_URL is not set: the service sends no e-mail.');
    }
    const fault = await findMailServerFault(server);
    const { host } = server;
    const sender = { from, bounceDomain, host, isLoopback: isLoopback(host) };
    const lines = dnsRecordsOf({ ...sender, dkim: dkimKeyOf(config) });
    const records = await findPublished(lines, config.webhookResolvers);
    return { server: `${host}:${server.port}`, ok: fault === null, fault, records };
  },
  print: ({ server, fault, records }) => [
    fault ?? `${server} takes the service’s connection and password. No mail was sent.`,
    ...records.flatMap((record) => ['', `${record.purpose}:`, ...linesOf(record)]),
  ],
  fails: ({ ok }) => !ok,
});

/** The line to publish, what stands there in its place, and what the DNS has. */
function linesOf(record: PublishedRecord): string[] {
  const { note, state, found } = record;
  return [`  ${zoneLine(record)}`, `  ; ${note}`, `  ${STATES[state]}`, ...found.map(inZone)];
}

const inZone = (text: string) => `    ${text}`;

const STATES: Readonly<Record<PublishedRecord['state'], string>> = {
  PUBLISHED: 'The DNS has:',
  MISSING: 'The DNS has no such record: publish the line.',
  OTHER: 'The DNS has another record, or more than one: replace it by the line.',
  NO_ANSWER: 'The DNS did not answer: try again later.',
};

/** `payreq mail`: the mail server of the service (messages §5). */
export const mailCommand = defineNoun('the mail server', { check });
