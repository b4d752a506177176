import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeSnippets } from '../../support/documents/guide-snippets.ts';
import {
  type ListenerCase,
  listenerCases,
  type Recording,
  recordWebhooks,
} from '../../support/webhooks/genuine-webhooks.ts';

/** Each calls a guide's function for every line that it reads (signature-checks/). */
const PROGRAMS = fileURLToPath(new URL('./signature-checks/', import.meta.url));
const COMPILE_MS = 120_000;
const RUN_MS = 60_000;

interface Language {
  readonly name: string;
  /** The commands that a machine needs for it. */
  readonly needs: readonly string[];
  readonly snippet: string;
  readonly program: string;
  readonly compile?: readonly string[];
  readonly run: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    needs: ['python3'],
    snippet: 'webhooks.py',
    program: 'check.py',
    run: ['python3', 'check.py'],
  },
  {
    name: 'PHP',
    needs: ['php'],
    snippet: 'webhooks.php',
    program: 'check.php',
    run: ['php', 'check.php'],
  },
  {
    name: 'Go',
    needs: ['go'],
    snippet: 'webhooks.go',
    program: 'check.go',
    compile: ['go', 'build', '-o', 'check', 'check.go', 'webhooks.go'],
    run: ['./check'],
  },
  {
    name: 'Java',
    needs: ['javac', 'java'],
    snippet: 'Webhooks.java',
    program: 'Check.java',
    compile: ['javac', '-encoding', 'UTF-8', 'Webhooks.java', 'Check.java'],
    run: ['java', 'Check'],
  },
  {
    name: 'C# (Mono)',
    needs: ['mcs', 'mono'],
    snippet: 'Webhooks.cs',
    program: 'Check.cs',
    compile: ['mcs', '-out:check.exe', 'Webhooks.cs', 'Check.cs'],
    run: ['mono', 'check.exe'],
  },
  {
    name: 'Ruby',
    needs: ['ruby'],
    snippet: 'webhooks.rb',
    program: 'check.rb',
    run: ['ruby', 'check.rb'],
  },
];

let recording: Recording;
let cases: readonly ListenerCase[];

before(async () => {
  recording = await recordWebhooks();
  cases = listenerCases(recording);
});

for (const language of LANGUAGES) {
  const missing = language.needs.find((command) => !isInstalled(command));
  const skip = missing === undefined ? false : `${missing} is not installed`;
  describe(`the guide’s signature check in ${language.name}`, { skip }, () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'signature-check-'));
      writeSnippets(folder, [language.snippet]);
      copyFileSync(join(PROGRAMS, language.program), join(folder, language.program));
      const [command, ...args] = language.compile ?? [];
      // Go wants a folder for its cache, and a module only outside of one file list.
      const env = { ...process.env, GOCACHE: join(folder, 'cache'), GO111MODULE: 'off' };
      if (command) execFileSync(command, args, { cwd: folder, env, timeout: COMPILE_MS });
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('accepts what the service sends and refuses everything else', () => {
      const expected = cases.map(({ title, isGenuine }) => `${title}: ${isGenuine}`);
      const answers = answersOf(language, folder, cases, recording.listener.signingSecret);
      assert.deepEqual(
        cases.map(({ title }, index) => `${title}: ${answers[index]}`),
        expected,
      );
    });

    it('accepts either signature during a rotation', () => {
      const rotated = cases.filter(({ headers, isGenuine }) => isGenuine && hasTwo(headers));
      assert.equal(rotated.length, 1, 'a webhook has two signatures');
      assert.deepEqual(answersOf(language, folder, rotated, recording.nextSecret), ['true']);
    });

    it('refuses to work without a signing secret', () => {
      for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=']) {
        assert.deepEqual(answersOf(language, folder, cases.slice(0, 1), secret), ['error']);
      }
    });
  });
}

function hasTwo(headers: Readonly<Record<string, string>>): boolean {
  return headers['webhook-signature']?.split(' ').length === 2;
}

function answersOf(
  { run: [command = '', ...args] }: Language,
  cwd: string,
  asked: readonly ListenerCase[],
  secret: string,
): readonly string[] {
  const lines = asked.map(({ headers, body }) =>
    [
      headers['webhook-id'],
      headers['webhook-timestamp'],
      headers['webhook-signature'],
      headers.authorization,
      Buffer.from(body).toString('base64'),
      secret,
    ].join('\t'),
  );
  const { username, password } = recording.listener;
  const { stdout, stderr, status } = spawnSync(command, [...args, username, password], {
    cwd,
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: RUN_MS,
  });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command]).status === 0;
}
