import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';
import { createCookieJar } from './cookie-jar.ts';

const PROGRAM = fileURLToPath(new URL('./identity-provider-process.mjs', import.meta.url));
/** Redirects of one sign-in at the provider. */
const MOST_STEPS = 10;

/** Claims of people, by subject. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A browser's cookies at the provider: a person who stays signed in there. */
export type ProviderBrowser = ReturnType<typeof createCookieJar>;

export interface TestIdentityProvider {
  readonly issuer: string;
  /** The settings of a service that signs people in here. */
  readonly settings: Readonly<Record<string, string>>;
  setPeople(people: People): Promise<void>;
  /** Moves the provider's clock. */
  setNow(now: Date): Promise<void>;
  /**
   * Signs a person in at the address to which the console leads.
   * @param browser the browser of an earlier sign-in; left out: a new one
   * @returns the address that leads back, and whether the provider asked for a password
   */
  signIn(
    url: string,
    subject: string,
    browser?: ProviderBrowser,
  ): Promise<{ readonly back: URL; readonly asked: boolean }>;
  /** Accepts connections and answers nothing, until `wake`. */
  silence(): void;
  wake(): void;
  stop(): Promise<void>;
}

export const CLIENT = { clientId: 'payreq-console', clientSecret: 'a secret of the test' } as const;

/** Starts npm's oidc-provider in a process of its own, whose clock the test moves. */
export async function startIdentityProvider({
  now,
  origin = 'https://pay.test',
}: {
  readonly now: Date;
  /** The console's origin. */
  readonly origin?: string;
}): Promise<TestIdentityProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const options = {
    ...CLIENT,
    nowMs: now.getTime(),
    redirectUri: `${origin}/console/sign-in/callback`,
    afterSignOutUri: `${origin}/console/sign-in`,
  };
  const child = fork(PROGRAM, [JSON.stringify(options), `${port}`], { execArgv: [] });
  await told(child);
  const tell = async (message: object) => {
    child.send(message);
    await told(child);
  };
  return {
    issuer,
    settings: {
      CONSOLE_OIDC_ISSUER: issuer,
      CONSOLE_OIDC_CLIENT_ID: CLIENT.clientId,
      CONSOLE_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      CONSOLE_OIDC_SCOPES: 'openid profile groups',
    },
    setPeople: (people) => tell({ people }),
    setNow: (at) => tell({ nowMs: at.getTime() }),
    signIn: (url, subject, browser = createCookieJar()) =>
      signInAt(new URL(url), { subject, browser, origin }),
    silence: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT');
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Waits for the next word of the process. */
function told(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The identity provider has ended.'));
    child.once('exit', onExit);
    child.once('message', () => {
      child.off('exit', onExit);
      resolve();
    });
  });
}

async function signInAt(
  url: URL,
  { subject, browser, origin }: { subject: string; browser: ProviderBrowser; origin: string },
): Promise<{ back: URL; asked: boolean }> {
  let [at, asked] = [url, false];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (at.origin === origin) return { back: at, asked };
    const page = await browser.fetch(at);
    let answer = page;
    if (page.status === 200) {
      asked = true;
      const action = /action="([^"]+)"/.exec(await page.text())?.[1];
      assert.ok(action, 'the page of the provider has a form');
      const body = new URLSearchParams({ prompt: 'login', login: subject, password: 'any' });
      answer = await browser.fetch(new URL(action, at), { method: 'POST', body });
    }
    const location = answer.headers.get('location');
    assert.ok(location, `the provider answered ${answer.status}: ${await answer.text()}`);
    at = new URL(location, at);
  }
  throw new Error('The provider leads nowhere.');
}
