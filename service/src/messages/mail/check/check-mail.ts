import type { MailServer } from '#lib/mail/mail-server.ts';
import { MailFault } from '#lib/mail/mailer.ts';
import { verifyMailServer } from '#messages/mail/smtp-mailer.ts';
import { describeMailFault } from './describe-fault.ts';

/** @returns null: the mail server takes the service's connection and password; else the fault */
export async function findMailServerFault(server: MailServer): Promise<string | null> {
  try {
    await verifyMailServer(server);
    return null;
  } catch (error) {
    if (!(error instanceof MailFault)) throw error;
    return describeMailFault(error, `${server.host}:${server.port}`);
  }
}
