import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FrontProxy, runProxy } from '../network/front-proxies.ts';

const FILES = new URL('../../../../deploy/cells/', import.meta.url);
const MAPS = ['cells.map', 'cell-hosts.map', 'unknown-link.html'];

/** A loopback address for each host of the file: their names would need a DNS server. */
export const ADDRESSES = { shared: '127.0.0.1', cell1: '127.0.0.3', cell2: '127.0.0.2' } as const;

/** The ports of a cell: of its public and of its operators' listener. */
export interface CellPorts {
  readonly port: number;
  readonly opsPort: number;
}

export interface CellsRouter extends FrontProxy {
  /** Every line that the router logged. */
  readonly logLines: string[];
}

/**
 * Runs the router's file of `deploy/cells` with Debian's haproxy. Only addresses, folders and the
 * certificate are replaced; a text that the file lacks is an error.
 */
export async function startCellsRouter(
  port: number,
  cells: readonly [CellPorts, CellPorts],
): Promise<CellsRouter> {
  const folder = mkdtempSync(join(tmpdir(), 'cells-router-'));
  const log = createSocket('udp4');
  log.bind(0, '127.0.0.1');
  await once(log, 'listening');
  const logLines: string[] = [];
  log.on('message', (line) => logLines.push(line.toString()));

  const read = (name: string) => readFileSync(new URL(name, FILES), 'utf8');
  for (const name of MAPS) {
    const text = read(name)
      .replace('cell1.pay.example', ADDRESSES.cell1)
      .replace('cell2.pay.example', ADDRESSES.cell2);
    writeFileSync(join(folder, name), text);
  }
  const binds = Object.values(ADDRESSES).map((address) => `${address}:${port}`);
  const replaced: [RegExp, string][] = [
    [/log \/dev\/log local0/, `log 127.0.0.1:${log.address().port} local0`],
    // A test may run under any user.
    [/ {2}user haproxy\n {2}group haproxy\n {2}chroot .*\n/, ''],
    [/bind :443 ssl .*/, `bind ${binds.join(',')}`],
    [/\/etc\/haproxy\//g, `${folder}/`],
    [/ {2}server b .*\n/g, ''],
    ...cells.map(({ port: own, opsPort }, index): [RegExp, string] => [
      new RegExp(`server a 10\\.0\\.${index + 1}\\.10:4010 port 4011`),
      `server a 127.0.0.1:${own} port ${opsPort}`,
    ]),
  ];
  let text = read('haproxy.cfg');
  for (const [pattern, by] of replaced) {
    if (text.search(pattern) < 0) throw new Error(`haproxy.cfg has no ${pattern}`);
    text = text.replace(pattern, by);
  }
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const url = `http://${ADDRESSES.shared}:${port}`;
  const answers = (address: string) => fetch(`http://${address}:${port}/problems`);
  const isUp = async () =>
    (await answers(ADDRESSES.cell1)).ok && (await answers(ADDRESSES.cell2)).ok;
  const router = await runProxy({
    program: 'haproxy',
    args: ['-db', '-f', file],
    folder,
    url,
    isUp,
  });
  return {
    ...router,
    logLines,
    async stop() {
      await router.stop();
      log.close();
    },
  };
}
