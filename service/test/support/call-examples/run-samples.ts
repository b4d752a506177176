import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PYTHON } from '../clients/python.ts';
import type { TestMerchant, TestService } from '../service/service.ts';
import { fillPath, makeThings } from './example-things.ts';
import { type RecordedCall, startRecordingFront } from './recording-front.ts';
import type { ShownCall } from './shown-calls.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FORM = /^\w+=/;
/** A client buys its token, and fetches further pages of a list. */
const BY_ITSELF = /^\/oauth2\/token$|[?&](?:cursor|after)=/;
/** A busy machine takes ten times the seconds of a run. */
const RUN_MS = 60_000;

/** A program that runs files one after another, in one process. */
interface Runner {
  readonly ending: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its code makes the token call by itself. */
  readonly isClient: boolean;
}

const IMPORT_ALL = 'for (const path of process.argv.slice(1)) await import(path);';
const RUN_ALL = 'import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path)';
const INCLUDE_ALL = 'foreach (array_slice($argv, 1) as $path) { include $path; }';
const SOURCE_ALL = 'for path; do . "$path"; done';

const RUNNERS: Readonly<Record<string, Runner>> = {
  curl: { ending: 'sh', command: ['sh', '-c', SOURCE_ALL, 'sh'], isClient: false },
  TypeScript: {
    ending: 'ts',
    command: [process.execPath, '--input-type=module', '--eval', IMPORT_ALL, '--'],
    isClient: true,
  },
  Python: {
    ending: 'py',
    command: [PYTHON, '-W', 'error', '-c', RUN_ALL],
    env: { PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' },
    isClient: true,
  },
  PHP: { ending: 'php', command: ['php', '-r', INCLUDE_ALL, '--'], isClient: false },
};

interface MadeCall {
  readonly call: string;
  readonly body: unknown;
  readonly isGood: boolean;
}

/**
 * Runs the code of all calls in one language, in one process, with things of a new merchant.
 *
 * @returns the calls that the code should make, and those that it made
 */
export async function runSamples(
  service: TestService,
  language: string,
  calls: readonly ShownCall[],
): Promise<{ readonly expected: readonly MadeCall[]; readonly made: readonly MadeCall[] }> {
  const runner = RUNNERS[language];
  if (!runner) throw new Error(`nothing runs ${language}`);
  const merchant = await service.createMerchant();
  const front = await startRecordingFront(service.url);
  const folder = mkdtempSync(join(tmpdir(), 'call-examples-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const expected: MadeCall[] = [];
    const files: string[] = [];
    for (const { id, method, path, query, ids, body, code } of calls) {
      const things = await makeThings(service, merchant, path);
      const text = Object.entries(things).reduce(
        (before, [name, value]) => before.replaceAll(ids[name] ?? '', value),
        (code[language] ?? '').replaceAll('https://pay.test', front.url),
      );
      files.push(join(folder, `${files.length}-${id}.${runner.ending}`));
      writeFileSync(files.at(-1) ?? '', `${text}\n`);
      if (runner.isClient && id === 'createAccessToken') continue;
      expected.push({ call: `${method} ${fillPath(path, things)}${query}`, body, isGood: true });
    }
    await run(runner, files, merchant);
    const isAsked = ({ path }: RecordedCall) => !(runner.isClient && BY_ITSELF.test(path));
    return { expected, made: front.calls.filter(isAsked).map(asMade) };
  } finally {
    await front.close();
    rmSync(folder, { recursive: true });
  }
}

function asMade({ method, path, body, status }: RecordedCall): MadeCall {
  const read = FORM.test(body) ? Object.fromEntries(new URLSearchParams(body)) : undefined;
  const parsed = body === '' ? undefined : (read ?? JSON.parse(body));
  return { call: `${method} ${path}`, body: parsed, isGood: status >= 200 && status < 300 };
}

function run(
  { command: [program, ...args], env }: Runner,
  files: readonly string[],
  { username, password, apiKey, token }: TestMerchant,
): Promise<void> {
  const own = { API_USERNAME: username, API_PASSWORD: password, API_KEY: apiKey, TOKEN: token };
  const options = { env: { ...process.env, ...own, ...env }, timeout: RUN_MS };
  return new Promise((resolve, reject) => {
    execFile(program, [...args, ...files], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program}: ${error.message}\n${stderr}${stdout}`));
      else resolve();
    });
  });
}
