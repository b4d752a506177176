import { fileURLToPath } from 'node:url';
import { freePort } from '../child-processes/free-port.ts';
import { type Child, startChild } from '../child-processes/start-child.ts';
import type { BareAnswer } from './bare-http.ts';

export const BARE_HTTP = fileURLToPath(new URL('bare-http.ts', import.meta.url));

/** What node:http writes by itself, in the service as in the bare server. */
const WRITTEN_BY_NODE = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

export interface BareServer extends Pick<Child, 'pid' | 'end'> {
  readonly url: string;
  learn(answer: BareAnswer): Promise<void>;
}

export async function startBareServer(): Promise<BareServer> {
  const port = await freePort();
  const { pid, ask, end } = await startChild(BARE_HTTP, [`${port}`]);
  return {
    pid,
    end,
    url: `http://127.0.0.1:${port}`,
    async learn(answer) {
      await ask(answer);
    },
  };
}

/** Calls the service once, for the answer that the bare server is to give. */
export async function answerOf(
  url: string,
  init: RequestInit,
  expectedStatus: number,
): Promise<BareAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const body = await response.text();
  if (response.status !== expectedStatus) {
    throw new Error(`${url} answered ${response.status}: ${body}`);
  }
  const { pathname, search } = new URL(url);
  const headers = [...response.headers].filter(([name]) => !WRITTEN_BY_NODE.includes(name));
  return {
    call: `${init.method ?? 'GET'} ${pathname}${search}`,
    status: response.status,
    headers: Object.fromEntries(headers),
    body,
  };
}
