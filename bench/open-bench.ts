import { type BareServer, startBareServer } from './limits/bare-server.ts';
import type { Effort } from './line.ts';
import { type Stage, setStage } from './service/service-under-test.ts';
import { type ListenerTls, loopbackWebhooks, makeListenerTls } from './webhooks/listener-tls.ts';

export interface BenchOptions {
  /** The URL of a database server's superuser. */
  readonly serverUrl: string;
  /** For files that live no longer than the run. */
  readonly folder: string;
  readonly effort: Effort;
  /** Whether peers are measured too. */
  readonly hasPeers: boolean;
}

/** What all lines share; each part is started when the first line wants it. */
export interface Bench extends BenchOptions {
  /** The service that nearly every line loads: one process, whose memory is that of the whole run. */
  stage(): Promise<Stage>;
  tls(): Promise<ListenerTls>;
  bare(): Promise<BareServer>;
  /** What each round of creating reached, a second. */
  readonly creates: number[];
  end(): Promise<void>;
}

export function openBench(options: BenchOptions): Bench {
  let stage: Promise<Stage> | undefined;
  let tls: Promise<ListenerTls> | undefined;
  let bare: Promise<BareServer> | undefined;
  const bench: Bench = {
    ...options,
    creates: [],
    stage() {
      stage ??= bench.tls().then((made) => setStage(options.serverUrl, loopbackWebhooks(made)));
      return stage;
    },
    tls() {
      tls ??= makeListenerTls(options.folder);
      return tls;
    },
    bare() {
      bare ??= startBareServer();
      return bare;
    },
    async end() {
      await Promise.all([(await stage)?.end(), (await bare)?.end()]);
    },
  };
  return bench;
}
