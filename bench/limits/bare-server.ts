import { fileURLToPath } from 'node:url';
import { freePort } from '../../service/test/support/free-port.ts';
import { type Child, startChild } from '../child-processes/start-child.ts';
import type { BareAnswer } from './bare-http.ts';

export const BARE_HTTP = fileURLToPath(new URL('bare-http.ts', import.meta.url));

/** The headers that node:http adds, in the service and in the bare server. */
const ADDED_BY_NODE = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

export interface BareServer extends Pick<Child, 'pid' | 'end'> {
  readonly url: string;
  /** Makes the server give this answer to its call. */
  addAnswer(answer: BareAnswer): Promise<void>;
}

export async function startBareServer(): Promise<BareServer> {
  const port = await freePort();
  const { pid, ask, end } = await startChild(BARE_HTTP, [`${port}`]);
  return {
    pid,
    end,
    url: `http://127.0.0.1:${port}`,
    async addAnswer(answer) {
      await ask(answer);
    },
  };
}

/** Calls the service to get the answer that the bare server will give. */
export async function answerOf(
  url: string,
  init: RequestInit,
  expectedStatus: number,
): Promise<BareAnswer> {
  // The bare server answers plain bytes: fetch would ask for compressed ones and unpack them.
  const sent = new Headers(init.headers);
  sent.set('accept-encoding', 'identity');
  const response = await fetch(url, { redirect: 'manual', ...init, headers: sent });
  const body = await response.text();
  if (response.status !== expectedStatus) {
    throw new Error(`${url} answered ${response.status}: ${body}`);
  }
  const { pathname, search } = new URL(url);
  const headers = [...response.headers].filter(([name]) => !ADDED_BY_NODE.includes(name));
  return {
    call: `${init.method ?? 'GET'} ${pathname}${search}`,
    status: response.status,
    headers: Object.fromEntries(headers),
    body,
  };
}
