import type { Executor } from '#database/database.ts';
import { type Mailer, MailFault } from '#lib/mail/mailer.ts';
import { newId } from '#lib/new-id.ts';
import { type PreviewDeps, type PreviewedMessage, previewTemplate } from './preview-template.ts';

/** A person waits for the page: a mail server that takes longer is tried again by hand. */
const LONGEST_TEST_MS = 10_000;
/** A person tries texts out alone; more at a time would hold calls of the console. */
const MOST_AT_ONCE = 2;

let running = 0;

export interface TestDeps extends PreviewDeps {
  readonly db: Executor;
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
}

/**
 * Sends an example of a message to the person who edits it.
 *
 * @returns false: the person has no address, or the mail server did not take the message
 */
export async function sendTest(
  deps: TestDeps,
  message: PreviewedMessage,
  email: string | null,
): Promise<boolean> {
  const { mailer } = deps;
  if (!mailer || email === null || running >= MOST_AT_ONCE) return false;
  running += 1;
  try {
    const mail = { id: newId(), to: email, ...(await previewTemplate(deps, message)) };
    return (await mailer.send(mail, AbortSignal.timeout(LONGEST_TEST_MS))) === 'SENT';
  } catch (error) {
    if (error instanceof MailFault || (error as Error).name === 'TimeoutError') return false;
    throw error;
  } finally {
    running -= 1;
  }
}
