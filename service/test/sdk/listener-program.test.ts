import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OUTCOME_DESCRIPTIONS } from '#sandbox/outcome-descriptions.ts';
import { planSimulation, REFUSAL_CODES } from '#sandbox/outcomes.ts';
import { EVENT_TYPE_FACTS } from '#webhooks/model/event-types.ts';
import { EVENT_TYPES } from '../../../sdk/src/cli/listen.ts';
import { OUTCOMES, readOutcome } from '../../../sdk/src/cli/outcomes.ts';
import { type PackedSdk, packSdk, runCommand } from '../../../sdk/test/packed-sdk.ts';
import { LISTENER, startListener, verified } from '../commands/listener/listeners.ts';

describe('the tables of the SDK’s tools', () => {
  it('have the outcomes of the simulator, with equal texts', () => {
    assert.deepEqual(OUTCOMES, OUTCOME_DESCRIPTIONS);
  });

  it('read a payer’s name as the simulator does', () => {
    const parameters = ['', ':', ':0', ':3600', ':3601', ':x', ':400', ':418', ':a:b'];
    const codes = REFUSAL_CODES.flatMap((code) => [`:${code}`, `:${code}:9`, `:${code}:x`]);
    const names = new Set(OUTCOMES.map(([form]) => form.split(':')[0] ?? ''));
    for (const name of [...names, 'Ada Payer', 'depositsubmit']) {
      for (const parameter of [...parameters, ...codes, ':LINK_EXPIRED']) {
        const text = `${name}${parameter}`;
        const simulation = planSimulation(text);
        const read = () => readOutcome(text);
        if (simulation.kind === 'STEPS' || simulation.kind === 'PROBLEM') {
          assert.equal(read(), text);
        } else {
          const message = 'message' in simulation ? simulation.message : /^Give one of deposit/;
          assert.throws(read, { message }, text);
        }
      }
    }
  });

  it('have the event types of the service', () => {
    const facts = Object.entries(EVENT_TYPE_FACTS);
    const specified = facts.map(([type, { isSpecified }]) => [type, isSpecified] as const);
    assert.deepEqual(EVENT_TYPES, Object.fromEntries(specified));
  });
});

describe('payment-requests, the program of the packed SDK', () => {
  let packed: PackedSdk;
  let project: string;
  before(async () => {
    packed = await packSdk();
    project = await packed.installInto('listener-program', {});
  });
  after(() => packed?.remove());

  const run = (...args: string[]) => {
    const exec = ['exec', '--offline', '--yes', `--package=${packed.tarball}`, '--'];
    return runCommand('npm', [...exec, 'payment-requests', ...args], project);
  };

  it('verifies a listener', async () => {
    const listener = await startListener(verified);
    const { username, password, signingSecret } = LISTENER;
    const credentials = ['--listener-username', username, '--listener-password', password];
    try {
      const { stdout } = await run(
        ...['verify-listener', listener.url, '--json', '--signing-secret', signingSecret],
        ...credentials,
      );
      const { ok, checks } = JSON.parse(stdout);
      assert.deepEqual([ok, checks.length], [true, 17]);
    } finally {
      await listener.close();
    }
  });

  it('describes itself and each tool', async () => {
    const all = await run('--help');
    assert.match(all.stdout, /^Usage: payment-requests \[options\] \[command\]/);
    const one = await run('trigger', '--help');
    assert.match(one.stdout, /^Usage: payment-requests trigger \[options\] <outcome>\n/);
    assert.match(one.stdout, /--api-key <text> +of the API credentials \(env: PAYREQ_API_KEY\)/);
    assert.ok(OUTCOMES.every(([form]) => one.stdout.includes(`  ${form} `)));
  });

  it('refuses a wrong command line in a sentence', async () => {
    await assert.rejects(run('trigger', 'depositPay'), /'depositPay' is invalid. Give one of/);
    await assert.rejects(run('listen'), /required option '--forward-to <url>' not specified/);
    await assert.rejects(run('listen', '--nothing'), /error: Unknown option '--nothing'/);
    await assert.rejects(run('pay'), /error: unknown command 'pay'/);
  });
});
