import type { Effort } from './effort.ts';
import { type BareServer, startBareServer } from './limits/bare-server.ts';
import { type ServiceUnderTest, startServiceUnderTest } from './service/service-under-test.ts';
import { type ListenerTls, loopbackWebhooks, makeListenerTls } from './webhooks/listener-tls.ts';

export interface BenchOptions {
  /** The URL of a database server's superuser. */
  readonly serverUrl: string;
  /** A folder for temporary files; the run removes it at its end. */
  readonly folder: string;
  readonly effort: Effort;
  /** Whether the bench measures the peers, too. */
  readonly hasPeers: boolean;
}

/** The parts that all lines share. The first line that needs a part starts it. */
export interface Bench extends BenchOptions {
  /** The service of nearly all lines: a single process, so that its memory is the whole run's. */
  service(): Promise<ServiceUnderTest>;
  tls(): Promise<ListenerTls>;
  bare(): Promise<BareServer>;
  /** The result of each round of creates, in creates a second. */
  readonly createsPerSecond: number[];
  end(): Promise<void>;
}

export function openBench(options: BenchOptions): Bench {
  let service: Promise<ServiceUnderTest> | undefined;
  let tls: Promise<ListenerTls> | undefined;
  let bare: Promise<BareServer> | undefined;
  const bench: Bench = {
    ...options,
    createsPerSecond: [],
    service() {
      service ??= bench
        .tls()
        .then((files) => startServiceUnderTest(options.serverUrl, loopbackWebhooks(files)));
      return service;
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
      await Promise.all([(await service)?.end(), (await bare)?.end()]);
    },
  };
  return bench;
}
