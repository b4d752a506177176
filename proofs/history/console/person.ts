import { setTimeout as wait } from 'node:timers/promises';
import type { History } from '../history.ts';
import type { AskedPage, ConsoleAsked, Told } from '../history-line.ts';
import type { KnownPayments } from '../known-payments.ts';
import { askConsole, type ConsoleAnswer, judgeAnswer } from './ask-console.ts';
import type { LinkMaker } from './make-links.ts';
import { readHidden, readIds, readStatus } from './read-page.ts';

/** The console of a run. */
export interface PeopleOptions {
  /** Every process that answers the console, as in `http://127.0.0.1:4010`. */
  readonly origins: readonly string[];
  readonly links: Pick<LinkMaker, 'makeLink'>;
}

export interface PersonOptions extends PeopleOptions {
  readonly history: History;
  readonly merchantId: string;
  readonly payments: KnownPayments;
  readonly ended: AbortSignal;
  /** Leaves a form of unknown outcome for the end of the run. */
  readonly leave: (again: () => Promise<boolean>) => void;
}

/** A form as it is sent: its address below `/console`, and its fields. */
export interface SentForm {
  readonly asked: ConsoleAsked;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The content that an answer 303 stands for. */
  readonly told?: (location: string) => Told;
}

export const REPEAT_PAUSE_MS = 250;

/** A signed-in person's browser: it writes down each step before sending and after the answer. */
export class Person {
  readonly name: string;
  readonly #options: PersonOptions;
  readonly #cookie: string;
  #csrf = '';
  #asked = 0;

  constructor(options: PersonOptions, name: string, cookie: string) {
    this.#options = options;
    this.name = name;
    this.#cookie = cookie;
  }

  /** Opens a page. @returns its HTML; null: it was not shown */
  async open(path: string, page: AskedPage, origin = this.#nextOrigin()): Promise<string | null> {
    const asked = { name: 'console-page', person: this.name, ...page } as const;
    const { answer, outcome } = await this.#ask(asked, (cookie) =>
      askConsole(`${origin}/console${path}`, cookie),
    );
    if (outcome !== 'ok') return null;
    this.#csrf = readHidden(answer.html, 'csrf') || this.#csrf;
    return answer.html;
  }

  /**
   * Sends a form until its outcome is known, at each process in turn; the end of the load leaves it
   * for later.
   */
  async send(form: SentForm): Promise<'ok' | 'refused' | 'unknown'> {
    const { ended, leave } = this.#options;
    // Every page has the token of the session.
    while (this.#csrf === '' && !ended.aborted) {
      await this.open('/account', { page: 'overview' });
      if (this.#csrf === '') await this.#pause();
    }
    if (this.#csrf === '') return 'refused';
    const once = () => this.#sendOnce(form);
    let outcome = await once();
    // A person looks first before sending a webhook once more.
    const mayRepeat = form.asked.name !== 'console-redeliver';
    while (mayRepeat && outcome === 'unknown' && !ended.aborted) {
      await this.#pause();
      outcome = await once();
    }
    if (mayRepeat && outcome === 'unknown') leave(async () => (await once()) !== 'unknown');
    return outcome;
  }

  /** A cookie of before the sign-out is tried at every process. */
  async tryEveryProcess(path: string): Promise<void> {
    for (const origin of this.#options.origins) await this.open(path, { page: 'overview' }, origin);
  }

  async #sendOnce({ asked, path, fields, told }: SentForm) {
    const body = { csrf: this.#csrf, ...fields };
    const address = `${this.#nextOrigin()}/console${path}`;
    const { outcome, code } = await this.#ask(
      asked,
      (cookie) => askConsole(address, cookie, body),
      told,
    );
    // Nothing was changed: the form is sent again.
    return code === 'UNAVAILABLE' ? 'unknown' : outcome;
  }

  async #ask(
    asked: ConsoleAsked,
    ask: (cookie: string) => Promise<ConsoleAnswer>,
    toldOf?: SentForm['told'],
  ) {
    const { history, merchantId, payments } = this.#options;
    const call = history.send(merchantId, asked);
    const answer = await ask(this.#cookie);
    const line = judgeAnswer(asked, answer);
    const told = line.outcome === 'ok' ? (toldOf?.(answer.location) ?? pageOf(answer)) : undefined;
    history.append({ kind: 'answered', call, ...line, ...(told && { told }) });
    if (told?.paymentRequest) payments.learn(told.paymentRequest);
    return { answer, outcome: line.outcome, code: line.code };
  }

  #nextOrigin(): string {
    const { origins } = this.#options;
    this.#asked += 1;
    return origins[this.#asked % origins.length] ?? '';
  }

  async #pause(): Promise<void> {
    const { ended: signal } = this.#options;
    await wait(REPEAT_PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

function pageOf({ html }: ConsoleAnswer): Told | undefined {
  if (html === '') return undefined;
  const status = readStatus(html);
  return { page: { ids: readIds(html), ...(status !== undefined && { status }) } };
}
