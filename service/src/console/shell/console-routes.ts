import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { type Action, ruleOf } from '#console/model/access-matrix.ts';
import { isFormOfSession } from '#console/sessions/session-secret.ts';
import { SessionStreams } from '#console/sessions/session-streams.ts';
import { readFormsWithFiles } from '#http/forms/read-file-forms.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import { answerLivePage } from '#http/live/routes.ts';
import { Problem } from '#lib/problem.ts';
import { FileStreams } from './file-streams.ts';
import { receiveVisit } from './receive-visit.ts';
import { sendAnswer, sendFault } from './send-answer.ts';
import type { ConsoleAnswer, Visit } from './visit.ts';
import { withoutNul } from './without-nul.ts';

interface RouteFacts {
  /** Below `/console`; `:merchant` names the merchant whose people may open it. */
  readonly path: string;
  readonly action: Action;
}

/** Shows the page; changes nothing. */
export type Show = (
  deps: ConsoleDeps,
  visit: Visit,
  request: FastifyRequest,
) => Promise<ConsoleAnswer> | ConsoleAnswer;

/** Does what a form asks for. The form's token is checked before. */
export type Act = (
  deps: ConsoleDeps,
  visit: Visit,
  form: URLSearchParams,
  request: FastifyRequest,
) => Promise<ConsoleAnswer> | ConsoleAnswer;

/** Notifies open pages that their figures have changed; only scripts call it. */
export interface LiveRoute extends RouteFacts {
  readonly pages: LivePages;
  /** The id of the page in `pages`, which always knows it. */
  readonly idOf: (visit: Visit) => string;
}

/** A route as the test of the access matrix reads it. */
export interface ConsoleRoute extends RouteFacts {
  readonly method: 'GET' | 'POST';
  /** A POST alone has it. */
  readonly form?: FormKind;
}

const HIDDEN = { schema: { hide: true } };

/**
 * The only way to register pages and forms for signed-in people: each names its action of the
 * access matrix, which is decided before anything of the page runs.
 */
export class ConsoleRoutes {
  readonly #scope: FastifyInstance;
  readonly #deps: ConsoleDeps;
  readonly #all: ConsoleRoute[] = [];
  readonly #files = new FileStreams();
  readonly #streams: SessionStreams;

  constructor(scope: FastifyInstance, deps: ConsoleDeps) {
    this.#scope = scope;
    this.#deps = deps;
    this.#streams = new SessionStreams(scope, deps);
    this.onStop(() => this.#files.stop());
  }

  /** Every route, for the test of the access matrix. */
  get all(): readonly ConsoleRoute[] {
    return this.#all;
  }

  /** Runs when the listener stops, before it waits for answers that are being sent. */
  onStop(stop: () => Promise<void>): void {
    this.#scope.addHook('preClose', stop);
  }

  /** @param path below `/console`, as in `RouteFacts` */
  page(path: string, action: Action, show: Show): void {
    this.#keep({ method: 'GET', path, action });
    this.#scope.get(`/console${path}`, HIDDEN, async (request, reply) => {
      const visit = await receiveVisit(this.#deps, request, reply, action);
      if (!visit) return reply;
      const answer = this.#files.bound(await show(this.#deps, visit, request), visit, request);
      return sendAnswer(this.#deps, request, reply, visit, answer);
    });
  }

  /** An act by a form with a few choices. */
  act(path: string, action: Action, act: Act): void {
    this.form(path, action, 'choice', act);
  }

  /** @param form how much the form holds; a `logo` or a `statement` may send a file */
  form(path: string, action: Action, form: FormKind, act: Act): void {
    this.#keep({ method: 'POST', path, action, form });
    const options = {
      ...HIDDEN,
      bodyLimit: FORM_BYTES[form],
      // Before the body is read. A form arrives within 5 s: ended access ends no later.
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        // First: 130 kB of a stranger would arrive while the database looks for the session.
        const isTooLarge = Number(request.headers['content-length']) > FORM_BYTES[form];
        if (isTooLarge) throw new Problem('PAYLOAD_TOO_LARGE');
        return (await receiveVisit(this.#deps, request, reply, action)) ? undefined : reply;
      },
    };
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = request.consoleVisit as Visit;
      if (!isFormOfSession(request, visit.csrf, this.#deps.origin)) {
        return sendFault(this.#deps, request, reply, { kind: 'outdated' }, visit);
      }
      const acted = await act(
        this.#deps,
        visit,
        withoutNul(request.body as URLSearchParams),
        request,
      );
      const answer = this.#files.bound(acted, visit, request);
      return sendAnswer(this.#deps, request, reply, visit, answer);
    };
    const register = (scope: FastifyInstance) => scope.post(`/console${path}`, options, handle);
    if (form !== 'logo' && form !== 'statement') return void register(this.#scope);
    this.#scope.register(async (scope) => {
      readFormsWithFiles(scope, { isOfLines: form === 'statement' });
      register(scope);
    });
  }

  live({ path, action, pages, idOf }: LiveRoute): void {
    this.#keep({ method: 'GET', path, action });
    this.onStop(async () => pages.close());
    this.#scope.get(`/console${path}`, HIDDEN, async (request, reply) => {
      const visit = await receiveVisit(this.#deps, request, reply, action);
      if (!visit) return reply;
      const streams = this.#streams.of(visit.viewer);
      await answerLivePage(pages, streams, idOf(visit), request, reply);
      return reply;
    });
  }

  /** @throws Error for a merchant's action without `:merchant` in the path, or the other way */
  #keep(route: ConsoleRoute): void {
    const isOfMerchant = route.path.includes('/:merchant');
    if (isOfMerchant !== (ruleOf(route.action).scope === 'merchant')) {
      throw new Error(`The path ${route.path} does not fit the action ${route.action}.`);
    }
    this.#all.push(route);
  }
}

/**
 * The most bytes of a form's body, by what a person can put in. A character takes up to 12 bytes in
 * a form.
 */
export const FORM_BYTES = {
  /** The address of a page (1,500 characters), a pasted link, and the token. */
  signIn: 4_096,
  /** Buttons and choices: the token, ids, scopes, types of events. */
  choice: 4_096,
  /**
   * Typed texts: 2,000 characters of any language, a URL of 2,048 bytes and a text of 1,000, or 50
   * origins.
   */
  typed: 24_576,
  /** The texts of a template in one language: 19 of 500 characters. */
  texts: 131_072,
  /** A logo of 32 kB; the refusal of a larger one names that limit. */
  logo: 131_072,
  /**
   * A statement of a usual day, or an archive of many. A form has 5 s to arrive, which 4 MB keep at
   * 7 Mbit/s: `payreq bank import` takes larger files.
   */
  statement: 4_259_840,
} as const;

export type FormKind = Exclude<keyof typeof FORM_BYTES, 'signIn'>;
