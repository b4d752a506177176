import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Place } from '#lib/failpoints/places.ts';
import type { TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { COMMAND_LINE, SOURCE_COMMAND_LINE } from '../service/command-line.ts';
import { compileCache } from '../service/compile-cache.ts';

const ARM = new URL('arm.ts', import.meta.url).href;

/** A start, a journey and its death take about a second; a machine with much other work has time. */
const LONGEST_LIFE_MS = 180_000;

/** A place, and the passage of it: `webhook-answered`, `before/bank-entries-insert:2`. */
export type Failpoint = Place | `${Place}:${number}`;

/** A process that kills itself at a place. */
export interface ArmedProcess {
  /**
   * Waits until it answers calls. @returns `http://127.0.0.1:port`: of the API, and of a background
   * process the operators' listener, which banks' programs call
   */
  ready(): Promise<string>;
  /** Waits for the death, and fails for any other end than SIGKILL at the place. */
  died(): Promise<void>;
  /** Ends what is left of it. */
  end(): void;
}

/** Processes that are killed: their sessions have this name. */
type Mortal = 'armed' | 'background';

/** The database's address for a process that will be killed. */
export const mortalUrl = (url: string, name: Mortal): string => `${url}?application_name=${name}`;

/** Waits for the end of a killed process's sessions: a statement under way may still commit. */
export function untilSessionsEnd(
  { sql }: Pick<TestDatabase, 'sql'>,
  name: Mortal,
): Promise<unknown> {
  return eventually(async () => {
    const rows = await sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
      [name],
    );
    return rows.length === 0;
  }, 'the end of the sessions');
}

/** Starts `payreq serve` with a failpoint. */
export async function startArmedProcess(
  settings: Readonly<Record<string, string>>,
  role: 'api' | 'background',
  failpoint: Failpoint,
): Promise<ArmedProcess> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const isSandbox = settings.ENVIRONMENT === 'sandbox';
  const child = spawn(
    process.execPath,
    [
      ...(isSandbox ? [COMMAND_LINE] : ['--import', ARM, SOURCE_COMMAND_LINE]),
      'serve',
      '--roles',
      role,
    ],
    {
      env: {
        PATH: process.env.PATH ?? '',
        ...compileCache,
        ...settings,
        DATABASE_URL: mortalUrl(settings.DATABASE_URL ?? '', 'armed'),
        PORT: `${port}`,
        OPS_PORT: `${opsPort}`,
        [isSandbox ? 'FAILPOINT' : 'TEST_FAILPOINT']: failpoint,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  // `close` comes when both streams have given all that was printed.
  const over = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('close', (_code, signal) => resolve(signal));
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));

  return {
    end,
    async ready() {
      await eventually(async () => {
        assert.equal(child.exitCode ?? child.signalCode, null, `it ended before a call: ${output}`);
        return (await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).ok;
      }, `readiness before ${failpoint}`);
      return `http://127.0.0.1:${role === 'api' ? port : opsPort}`;
    },
    async died() {
      const tooLong = setTimeout(end, LONGEST_LIFE_MS);
      const signal = await over;
      clearTimeout(tooLong);
      assert.equal(signal, 'SIGKILL', `the end at ${failpoint}: ${output}`);
      const [place] = failpoint.split(':');
      assert.ok(output.includes(`failpoint ${place}\n`), `${failpoint} was not passed: ${output}`);
    },
  };
}
