import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';

/** A proxy in front of the service, with Debian's own settings but for ports and folders. */
export interface FrontProxy {
  readonly url: string;
  stop(): Promise<void>;
}

type Configure = (folder: string, port: number, target: string) => string;

// Each keeps its connections to the service open and hands them from one caller to the next.
const nginxFile: Configure = (folder, port, target) => `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream service { server ${target}; keepalive 1; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
    }
  }
}
`;

const haproxyFile: Configure = (_folder, port, target) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${port}
  default_backend service
backend service
  http-reuse always
  server one ${target} pool-max-conn 1
`;

/** @throws Error with the Debian package to install when the program is not there */
export const startNginx = (target: string) =>
  start('nginx', nginxFile, target, (folder, file) => ['-p', folder, '-c', file, '-e', 'stderr']);

export const startHaproxy = (target: string) =>
  start('haproxy', haproxyFile, target, (_folder, file) => ['-db', '-q', '-f', file]);

async function start(
  program: string,
  configure: Configure,
  target: string,
  argumentsOf: (folder: string, file: string) => readonly string[],
): Promise<FrontProxy> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), `${program}-`));
  const file = join(folder, 'config');
  writeFileSync(file, configure(folder, port, target));
  const url = `http://127.0.0.1:${port}`;
  const isUp = async () => (await fetch(`${url}/problems`)).ok;
  return runProxy({ program, args: argumentsOf(folder, file), folder, url, isUp });
}

/**
 * Runs a proxy of Debian until it is up. The stop of the proxy removes the folder.
 *
 * @throws Error with the Debian package to install when the program is not there
 */
export async function runProxy({
  program,
  args,
  folder,
  url,
  isUp,
}: {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly url: string;
  readonly isUp: () => Promise<boolean>;
}): Promise<FrontProxy> {
  // Debian keeps both outside of an ordinary user's PATH.
  const env = { PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words += chunk;
  });
  const failed = new Promise<never>((_, reject) => {
    const missing = `This test needs ${program} (Debian: apt install ${program}).`;
    child.once('error', () => reject(new Error(missing)));
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${words}`)));
  });
  failed.catch(() => {});
  const stop = () => end(child, over, folder);
  try {
    const answers = eventually(isUp, program);
    await Promise.race([answers, failed]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function end(child: ChildProcess, over: Promise<void>, folder: string): Promise<void> {
  // nginx ends its worker when it is told to end; a SIGKILL would leave the worker.
  if (child.pid !== undefined && child.kill('SIGTERM')) await over;
  rmSync(folder, { recursive: true, force: true });
}
