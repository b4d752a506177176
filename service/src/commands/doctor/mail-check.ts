import { findMailServerFault } from '#messages/mail/check/check-mail.ts';
import { type CheckDeps, fault, fine, type Verdict } from './verdict.ts';

/** The mail server takes the service's connection and password (messages §5). No mail is sent. */
export async function checkMailServer({ mailSmtpUrl: server }: CheckDeps): Promise<Verdict> {
  if (server === null) return fine('No mail server is configured: the service sends no e-mail.');
  const found = await findMailServerFault(server);
  return found === null ? fine('The mail server takes the service.') : fault(found);
}
