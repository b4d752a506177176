import { setTimeout as wait } from 'node:timers/promises';
import { askConsole, judgeAnswer } from './ask-console.ts';
import { Person, type PersonOptions, REPEAT_PAUSE_MS } from './person.ts';
import { readHidden } from './read-page.ts';

const PATH = '/console/sign-in/link';

interface UsedLink {
  readonly name: string;
  readonly link: string;
  readonly address: string;
}

/**
 * Signs a person in by a one-time link. The form is sent until its outcome is known.
 *
 * @param isTriedAgain the link is used once more afterwards, which must be refused
 * @returns null: the load has ended, or the answer with the session was lost
 */
export async function signIn(
  options: PersonOptions,
  name: string,
  isTriedAgain: boolean,
): Promise<Person | null> {
  const { links, merchantId, ended, origins } = options;
  let link: string | null = null;
  for (let tries = 0; !ended.aborted; tries += 1) {
    const address = `${origins[tries % origins.length]}${PATH}`;
    link ??= await links.makeLink(merchantId, name);
    const used = link === null ? null : await useLink(options, { name, link, address });
    if (link !== null && used?.session) {
      if (isTriedAgain) await useLink(options, { name, link, address });
      return new Person(options, name, used.session);
    }
    // An earlier sending has used the link up.
    if (used?.code === 'HTTP 403') return null;
    await wait(REPEAT_PAUSE_MS, undefined, { signal: ended }).catch(() => {});
  }
  return null;
}

/** @returns the session's cookie; null: the page with the form was not shown */
async function useLink(
  { history, merchantId }: PersonOptions,
  { name: person, link, address }: UsedLink,
): Promise<{ readonly session: string; readonly code: string | null } | null> {
  const page = await askConsole(address, '');
  const csrf = readHidden(page.html, 'csrf');
  if (page.status !== 200 || csrf === '') return null;
  const asked = { name: 'console-sign-in', person } as const;
  const call = history.send(merchantId, asked);
  const answer = await askConsole(address, page.cookies.join('; '), { csrf, link });
  const line = judgeAnswer(asked, answer);
  history.append({ kind: 'answered', call, ...line });
  return { session: line.outcome === 'ok' ? answer.cookies.join('; ') : '', code: line.code };
}
