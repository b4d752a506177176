import type { FastifyInstance } from 'fastify';
import type { BoundedStreams } from '#http/live/routes.ts';
import { LiveStreams } from '#http/live/streams.ts';
import { startLoop } from '#lib/loop.ts';
import { filterOpenSessions } from './session-store.ts';
import { openAt, type SessionDeps, type Viewer } from './sessions.ts';

/** The bound of all people in a process: 90 MB of connections. */
const MAX_STREAMS = 3_000;
/** A person has a few tabs with live figures open; further tabs poll. */
const MAX_OF_A_SESSION = 10;
/** Two sessions: a person works on two machines. */
const MAX_OF_A_PERSON = 20;
/** A sign-out in another process ends the streams of its session within this time. */
const SWEEP_MS = 20_000;

const SESSION = 'session ';

/** Bounds the live streams of signed-in people; the streams of a session end with the session. */
export class SessionStreams {
  readonly #streams = new LiveStreams(MAX_STREAMS);

  constructor(scope: FastifyInstance, deps: SessionDeps) {
    const sweep = startLoop({
      name: 'session streams',
      intervalMs: SWEEP_MS,
      run: () => this.#endStreamsOfEndedSessions(deps),
      // A stream only says that something has changed: it may outlive an outage of the database.
      onError: () => {},
    });
    // A form may have ended sessions.
    scope.addHook('onResponse', async ({ method }) => {
      if (method === 'POST') sweep.wake();
    });
    scope.addHook('preClose', async () => {
      this.#streams.endAll();
      await sweep.stop();
    });
  }

  of({ sessionId, issuer, subject }: Viewer): BoundedStreams {
    const bounds = [
      { key: SESSION + sessionId, max: MAX_OF_A_SESSION },
      { key: `person ${JSON.stringify([issuer, subject])}`, max: MAX_OF_A_PERSON },
    ];
    return { streams: this.#streams, bounds };
  }

  async #endStreamsOfEndedSessions({ db, clock }: SessionDeps): Promise<false> {
    const held = this.#streams.holders(SESSION);
    if (held.length === 0) return false;
    const open = new Set(await filterOpenSessions(db, openAt(clock), held));
    for (const id of held) if (!open.has(id)) this.#streams.endOf(SESSION + id);
    return false;
  }
}
