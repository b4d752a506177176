import type { Mailer } from '#lib/mail/mailer.ts';
import { type SandboxOutcome, sandboxOutcomeOf } from '#messages/model/sandbox-outcomes.ts';
import type { Transport, Transports } from './transport.ts';

/** Real e-mail, where a mail server is configured. */
function mailTransport(mailer: Mailer): Transport {
  return {
    hasInbox: false,
    outcomeOf: () => null,
    send: ({ mail }, signal, check) => mailer.send(mail, signal, check),
  };
}

/** The sandbox hands nothing over: its address decides what becomes of a message (messages §7). */
const INBOX: Transport = {
  hasInbox: true,
  outcomeOf: ({ address, message }): SandboxOutcome => sandboxOutcomeOf(address, message.kind),
  send: async (_, __, check) => ((await check()) ? 'SENT' : 'STOPPED'),
};

/** The transports of production: without a mail server or a relay it sends nothing. */
export function productionTransports(mailer: Mailer | null, sms: Transport | null): Transports {
  return { ...(mailer && { EMAIL: mailTransport(mailer) }), ...(sms && { SMS: sms }) };
}

/** @param recipients addresses that get real mail from the sandbox, in lower case */
export function sandboxTransports(
  mailer: Mailer | null,
  recipients: readonly string[],
): Transports {
  const real = mailer && mailTransport(mailer);
  const isReal = (address: string) => recipients.includes(address.toLowerCase());
  return {
    SMS: INBOX,
    EMAIL: {
      hasInbox: true,
      outcomeOf: (outgoing) => (isReal(outgoing.address) ? null : INBOX.outcomeOf(outgoing)),
      send: (outgoing, signal, check) =>
        (real && isReal(outgoing.address) ? real : INBOX).send(outgoing, signal, check),
    },
  };
}
