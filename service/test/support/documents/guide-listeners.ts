import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import type { Listener, ListenerCase } from '../webhooks/genuine-webhooks.ts';
import { snippetNamed, writeSnippets } from './guide-snippets.ts';

export interface GuideListener {
  readonly url: string;
  stop(): Promise<void>;
}

export interface GuideListenerOptions {
  /** A folder from which the packages of the snippets can be imported. */
  readonly folder: string;
  /** The snippet that serves, as in `listener-express.js`. */
  readonly name: string;
  readonly listener: Listener;
  readonly databaseUrl: string;
}

/** Serves a route handler of Next.js as Next.js calls it: with a Web `Request`. */
const SERVE_ROUTE = `
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { POST } from './listener-next.js';
createServer(async (incoming, outgoing) => {
  const { method, headers } = incoming;
  const init = { method, headers, body: Readable.toWeb(incoming), duplex: 'half' };
  const request = new Request('http://localhost/webhooks', init);
  outgoing.writeHead((await POST(request)).status).end();
}).listen(process.env.PORT);
`;

/** The tables of the guide's inbox. */
export function inboxTables(): string {
  return snippetNamed('inbox.sql');
}

/** Starts a listener of the guide as a process of its own, over plain HTTP. */
export async function startGuideListener(options: GuideListenerOptions): Promise<GuideListener> {
  const { folder, name, listener, databaseUrl } = options;
  writeSnippets(folder, ['inbox.js', 'receive.js', name]);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'serve-route.js'), SERVE_ROUTE);
  const file = name === 'listener-next.js' ? 'serve-route.js' : name;
  const program = await startGuideProgram(folder, file, {
    DATABASE_URL: databaseUrl,
    LISTENER_USERNAME: listener.username,
    LISTENER_PASSWORD: listener.password,
    SIGNING_SECRET: listener.signingSecret,
  });
  return { ...program, url: `${program.url}/webhooks` };
}

/** Starts a program that listens on PORT, and waits until it answers. */
export async function startGuideProgram(
  folder: string,
  file: string,
  settings: Readonly<Record<string, string>>,
): Promise<GuideListener> {
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: `${port}`, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    assert.equal(child.exitCode, null, `${file} ended`);
    return (await fetch(url, { method: 'POST' })).status > 0;
  }, `${file} serves`);
  return { url, stop: () => end(child) };
}

/** Posts every case and gives `title: status` for each. */
export async function answersTo(
  { url }: GuideListener,
  cases: readonly ListenerCase[],
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const { title, headers, body } of cases) {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    answers.push(`${title}: ${status}`);
  }
  return answers;
}

/** The answers of a right listener. */
export function rightAnswers(cases: readonly ListenerCase[]): readonly string[] {
  return cases.map(({ title, isGenuine }) => `${title}: ${isGenuine ? 204 : 401}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
