import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { freePort } from '../free-port.ts';
import { createTestAuthority } from '../webhooks/https-listener.ts';
import { type FrontProxy, runProxy } from './front-proxies.ts';

/** A process of the service as the files of deploy/proxies know it. */
export interface Backend {
  readonly port: number;
  readonly opsPort: number;
}

export interface DeployedProxy extends FrontProxy {
  readonly plainUrl: string;
  readonly ca: string;
  /** HAProxy's state of both servers, such as UP, DOWN, or `UP 1/2` on the way. */
  serverStates(): Promise<readonly string[]>;
  /** Connections of one caller, kept between calls. */
  agent(options?: { readonly localAddress?: string }): Agent;
}

const FILES = new URL('../../../../deploy/proxies/', import.meta.url);
const PAGE = new URL('../../../../docs/operations/behind-a-proxy.md', import.meta.url);
const TWO_MACHINES =
  '  server one 10.0.0.11:4010 port 4011\n  server two 10.0.0.12:4010 port 4011\n';
/** The lines that the page has for two processes of one machine. */
const ONE_MACHINE =
  /^```haproxy name=one-machine\.cfg\n([^`]+)```$/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
const isRoot = process.getuid?.() === 0;

/**
 * The text of a file of deploy/proxies with other values.
 *
 * @throws Error when a value that the test replaces does not stand in the file
 */
function substituted(name: string, values: readonly (readonly [string, string])[]): string {
  let text = readFileSync(new URL(name, FILES), 'utf8');
  for (const [from, to] of values) {
    if (!text.includes(from)) throw new Error(`${name} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly backends: readonly [Backend, Backend];
}

function nginxText({ folder, port, plainPort, backends: [one, two] }: Place): string {
  const text = substituted('nginx.conf', [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/ssl/payment-requests/', `${folder}/`],
    ['10.0.0.11:4010', `127.0.0.1:${one.port}`],
    ['10.0.0.12:4010', `127.0.0.1:${two.port}`],
    ['/var/log/nginx/', `${folder}/`],
    ['/run/nginx.pid', `${folder}/pid`],
    ['worker_processes auto;', 'worker_processes 2;'],
    ['server_name pay.example;', 'server_name pay.example localhost;'],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${folder}/${kind};\n`)
    .join('');
  return text.replace('http {\n', `http {\n${temporary}`);
}

function haproxyText({ folder, port, plainPort, backends: [one, two] }: Place): string {
  const text = substituted('haproxy.cfg', [
    ['bind :443 ', `bind 127.0.0.1:${port} `],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['/etc/haproxy/certs/pay.example.pem', `${folder}/both.pem`],
    [TWO_MACHINES, ONE_MACHINE],
    ['127.0.0.1:4010 port 4011', `127.0.0.1:${one.port} port ${one.opsPort}`],
    ['127.0.0.1:4020 port 4021', `127.0.0.1:${two.port} port ${two.opsPort}`],
    ['/run/haproxy/admin.sock', `${folder}/admin.sock`],
    // The limit of open files of a test machine may be lower.
    ['maxconn 16384', 'maxconn 2000'],
    ['log /dev/log local0', 'log 127.0.0.1:1 local0'],
  ]);
  // Only root can take another account and another root folder.
  return isRoot ? text : text.replace(/^ {2}(user|group|chroot) .*\n/gm, '');
}

const PROGRAMS = {
  nginx: {
    text: nginxText,
    args: (folder: string, file: string) => ['-g', 'daemon off;', '-p', folder, '-c', file],
  },
  haproxy: {
    text: haproxyText,
    args: (_: string, file: string) => ['-db', '-f', file],
  },
} as const;

export const DEPLOYED = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];

/** Starts nginx or HAProxy with its file of deploy/proxies, before two backends. */
export async function startDeployedProxy(
  program: keyof typeof PROGRAMS,
  backends: readonly [Backend, Backend],
): Promise<DeployedProxy> {
  const folder = mkdtempSync(join(tmpdir(), `deployed-${program}-`));
  // The proxy's own account enters it.
  chmodSync(folder, 0o755);
  const authority = await createTestAuthority();
  const { cert, key } = await authority.issue();
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  writeFileSync(join(folder, 'privkey.pem'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'both.pem'), `${cert}\n${key}`, { mode: 0o600 });
  for (const kind of ['client_body', 'proxy']) mkdirSync(join(folder, kind), { mode: 0o777 });
  const [port, plainPort] = [await freePort(), await freePort()];
  const file = join(folder, 'config');
  writeFileSync(file, PROGRAMS[program].text({ folder, port, plainPort, backends }));
  const url = `https://127.0.0.1:${port}`;
  const ca = authority.caPem;
  const agents: Agent[] = [];
  const agent: DeployedProxy['agent'] = ({ localAddress } = {}) => {
    const made = new Agent({ ...(localAddress && { localAddress }), connect: { ca } });
    agents.push(made);
    return made;
  };
  const args = PROGRAMS[program].args(folder, file);
  const isUp = async () => {
    const { statusCode, body } = await request(`${url}/problems`, { dispatcher: agent() });
    await body.dump();
    return statusCode === 200;
  };
  const proxy = await runProxy({ program, args, folder, url, isUp });
  return {
    ...proxy,
    plainUrl: `http://localhost:${plainPort}`,
    ca,
    agent,
    async serverStates() {
      const socket = connect(join(folder, 'admin.sock')).end('show stat\n');
      const lines = (await readAll(socket)).split('\n').map((line) => line.split(','));
      const column = lines[0]?.indexOf('status') ?? -1;
      const servers = lines.filter(([backend]) => backend === 'payment_requests').slice(0, -1);
      return servers.map((cells) => cells[column] ?? '');
    },
    async stop() {
      for (const one of agents) await one.destroy();
      await proxy.stop();
    },
  };
}
