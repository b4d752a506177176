import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyProject, type LocalProject, WITHOUT_PROC } from '../local/local-project.ts';
import { eventually } from '../support/eventually.ts';

const README = readFileSync(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8');

/** The indented blocks of the section with this heading, in their order. */
function commandsOf(heading: string): readonly string[] {
  const [, section] = README.split(`\n## ${heading}\n`);
  assert.ok(section, heading);
  const lines = (section.split(/\n## /)[0] ?? '').split('\n');
  const blocks: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const isCommand: boolean = line.startsWith('    ') || (isInside && line === '');
    if (isCommand && isInside) blocks.push(`${blocks.pop()}\n${line.slice(4)}`);
    else if (isCommand) blocks.push(line.slice(4));
    isInside = isCommand;
  }
  return blocks.map((block) => block.trimEnd());
}

interface Ran {
  readonly exitCode: number;
  readonly output: string;
}

/** A shell into which a reader pastes one block after the other. */
function openShell(project: LocalProject) {
  const { BASE_PORT: _, LOCAL_DIR: __, ...env } = process.env;
  const child = spawn('bash', [], { cwd: project.folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let count = 0;
  return {
    output: () => output,
    /** Pastes a block and waits for its end. */
    async run(block: string): Promise<Ran> {
      count += 1;
      const from = output.length;
      const end = new RegExp(`\\nended ${count} with (\\d+)\\n`);
      child.stdin.write(`${block}\nprintf '\\nended ${count} with %s\\n' $?\n`);
      const found = await eventually(() => end.exec(output) ?? undefined, block);
      return { exitCode: Number(found[1]), output: output.slice(from, found.index) };
    },
    /** Pastes a command that goes on. */
    type: (command: string) => child.stdin.write(`${command}\n`),
    interrupt: () => endTree(child),
  };
}

/** Ends a shell with all that it has started. */
function endTree(child: ChildProcess): void {
  child.stdin?.end();
  child.kill('SIGTERM');
}

describe('the README’s commands at another BASE_PORT', { skip: WITHOUT_PROC }, () => {
  let project: LocalProject;
  let listener: ReturnType<typeof openShell>;
  let shell: ReturnType<typeof openShell>;

  before(async () => {
    project = await copyProject();
    await project.start().ready();
    listener = openShell(project);
    shell = openShell(project);
  });
  after(() => {
    listener?.interrupt();
    shell?.interrupt();
    project?.remove();
  });

  /** Runs a block whose calls must all succeed. */
  async function run(block: string): Promise<string> {
    const { exitCode, output } = await shell.run(block);
    assert.equal(exitCode, 0, `${block}\n${output}`);
    assert.doesNotMatch(output, /\/problems\//, block);
    return output;
  }

  it('pay a first payment request, whose webhook the listener prints', async () => {
    const [
      listen = '',
      functions = '',
      token = '',
      create = '',
      read = '',
      refund = '',
      ...others
    ] = commandsOf('The first payment, with curl');
    assert.deepEqual(others, []);
    assert.equal(listen, 'npm run listener');
    listener.type(listen);
    const url = `https://localhost:${project.basePort + 3}/webhooks`;
    await eventually(() => listener.output().includes(url), 'the listener');
    await run(functions);
    await run(token);
    const created = JSON.parse(await run(create));
    assert.equal(created.webhookUrl, url);
    const printed = `PAYMENT-COMPLETED: ${created.id} is PAID`;
    await eventually(() => listener.output().includes(printed), printed);
    assert.equal(JSON.parse(await run(read)).status, 'PAID');
    const refunded = await run(refund);
    assert.match(refunded, /"amount":5\.50,.*"status":"CREATED"/);
    assert.match(refunded, /"type":"PAYMENT","amount":25\.50.*"type":"REFUND","amount":-5\.50/);
    assert.match(refunded, /^ {2}closing sum +20\.00 {2}CAD$/m);
  });

  it('bring events to the listener, make one, and verify the listener', async () => {
    const [commands = '', ...others] = commandsOf('Verify a webhook');
    assert.deepEqual(others, []);
    const [sdk = '', tool = '', listen = '', trigger = '', verify = '', ...more] =
      commands.split('\n');
    assert.deepEqual(more, []);
    await run(`${sdk}\n${tool}`);
    assert.match(await run(trigger), /^webhook {2}SUCCEEDED {2}https:/m);
    assert.match(await run(verify), /^The listener is right in all 17 checks\.$/m);
    const before = listener.output().length;
    // Behind the comment the ampersand would be a part of it.
    shell.type(`${listen.replace(/ +#.*/, '')} &`);
    await eventually(() => shell.output().includes('Waiting for events'), listen);
    await run(trigger);
    await eventually(
      () => shell.output().includes(') →') || /→ {2}204/.test(shell.output()),
      listen,
    );
    assert.doesNotMatch(listener.output().slice(before), /Refused/);
    await run('kill %1');
  });

  it('register, try and delete an endpoint', async () => {
    for (const block of commandsOf('Webhook endpoints')) await run(block);
    const left = await run('call GET /webhook-endpoints');
    assert.deepEqual(JSON.parse(left).data, []);
    const listening = `node .*listen.ts https://localhost:${project.basePort + 4}/webhooks`;
    await eventually(
      () => project.processes().every(({ command }) => !new RegExp(listening).test(command)),
      'the end of the second listener',
    );
  });
});
