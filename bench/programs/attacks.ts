import type { ServiceUnderTest } from '../service/service-under-test.ts';

/** A way to hold connections open. */
export interface Attack {
  readonly name: string;
  /** The bytes that each connection sends when it opens. */
  readonly head: string;
  /** The bytes that each connection sends every second afterwards. */
  readonly drip?: string;
  /** The number of connections; default: 2,000. */
  readonly connections?: number;
  /** Resets each connection once it has sent its bytes; another one follows. */
  readonly isReset?: true;
}

export interface AttackTarget {
  /** The path of the payment request's gateway page. */
  readonly gateway: string;
}

/** 1,200 requests of `GET /problems` are 50 kB. */
const PIPELINED_REQUESTS = 1_200;

export function attacksOn(service: ServiceUnderTest, { gateway }: AttackTarget): readonly Attack[] {
  const { hostname, host } = new URL(service.url);
  const hostLine = `Host: ${host}\r\n`;
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n';
  const credentials = Object.entries(service.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const token = `POST /oauth2/token HTTP/1.1\r\n${hostLine}${form}`;
  const pipelined = `GET /problems HTTP/1.1\r\n${hostLine}\r\n`.repeat(PIPELINED_REQUESTS);
  // Each connection asks for another payment request, whose version the process has not read.
  const live = `GET /pay/live/[id]?seen=0 HTTP/1.1\r\n${hostLine}Accept: text/event-stream\r\n\r\n`;
  return [
    { name: 'none', head: '' },
    { name: 'half heads', head: `POST /oauth2/token HTTP/1.1\r\nHost: ${hostname}` },
    { name: 'token calls without a body', head: `${token}\r\n` },
    {
      name: 'token calls that expect 100-continue',
      head: `${token}Expect: 100-continue\r\n\r\n`,
    },
    { name: 'token calls whose body drips', head: `${token}\r\n`, drip: 'a' },
    {
      name: 'gateway forms without a body',
      head: `POST ${gateway}/choose HTTP/1.1\r\n${hostLine}${form}\r\n`,
    },
    {
      name: 'creations without a body, good credentials',
      head:
        `POST /v1/payment-requests HTTP/1.1\r\n${hostLine}${credentials}` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n',
    },
    { name: 'live pages of unread versions', connections: 1_000, head: live, isReset: true },
    { name: '50 kB of requests behind a live page', connections: 1, head: live + pipelined },
    { name: '50 kB of pipelined requests on each connection', head: pipelined },
    {
      name: 'answers not read',
      head: `GET /openapi.json HTTP/1.1\r\n${hostLine}\r\n`.repeat(16),
    },
  ];
}
