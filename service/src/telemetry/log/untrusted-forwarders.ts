import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from './log.ts';
import { noteUntrustedForwarder } from './untrusted-forwarder-store.ts';

/** Whether an X-Forwarded-For of an untrusted peer is reported or ignored. */
export const UNTRUSTED_FORWARDERS = ['warn', 'ignore'] as const;

export type UntrustedForwarders = ReturnType<typeof createUntrustedForwarders>;

export interface UntrustedForwardersDeps {
  readonly db: Executor;
  readonly clock: Pick<Clock, 'steadyMs'>;
  readonly log: Log;
  readonly untrustedForwarders: (typeof UNTRUSTED_FORWARDERS)[number];
}

/** Each record takes two statements, and any stranger can send the header. */
const NOTE_PAUSE_MS = 10_000;
/** Readiness reports the present; `payreq doctor` reports a longer time. */
const RECENT_MS = 60 * 60_000;

/**
 * Reports requests whose X-Forwarded-For comes from a peer that is not in TRUSTED_PROXIES. Either a
 * proxy is missing there, and all payers behind the proxy count as one address; or a stranger
 * invented the header, and the service rightly ignores it. Only an operator can decide: the log has
 * one line a process, readiness a sentence, and the database a row for `payreq doctor`.
 */
export function createUntrustedForwarders(deps: UntrustedForwardersDeps) {
  const { db, clock, log } = deps;
  let latest: { readonly peer: string; readonly atMs: number } | undefined;
  let notedMs = Number.NEGATIVE_INFINITY;

  function seen(peer: string): void {
    const atMs = clock.steadyMs();
    if (!latest) log.warn({ sourceAddress: peer }, 'X-Forwarded-For from an untrusted peer');
    latest = { peer, atMs };
    if (atMs - notedMs < NOTE_PAUSE_MS) return;
    notedMs = atMs;
    // A lost record is written again: the peer sends more requests.
    noteUntrustedForwarder(db, peer).catch(() => {});
  }

  return {
    /** Watches the requests of a listener. */
    watch(app: FastifyInstance) {
      if (deps.untrustedForwarders === 'ignore') return;
      app.addHook('onRequest', (request, _reply, done) => {
        if (isUntrusted(request)) seen(peerOf(request));
        done();
      });
    },
    /** A sentence for readiness while such requests arrive; null: none arrived lately. */
    warning() {
      if (!latest || clock.steadyMs() - latest.atMs > RECENT_MS) return null;
      return (
        `X-Forwarded-For comes from ${latest.peer}, which is not in TRUSTED_PROXIES: ` +
        'run payreq doctor'
      );
    },
  };
}

/**
 * `ips` has further addresses if the peer is trusted; `ips` is absent if no proxy is trusted. Read
 * `ips` only for the header: it is computed at each reading.
 */
function isUntrusted(request: FastifyRequest): boolean {
  if (request.headers['x-forwarded-for'] === undefined) return false;
  return (request.ips?.length ?? 1) === 1;
}

/** An IPv4 address in the form of TRUSTED_PROXIES, also on a socket of both families. */
function peerOf({ socket }: FastifyRequest): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
