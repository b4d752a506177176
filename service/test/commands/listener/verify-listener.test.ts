import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { LISTENER_CHECKS } from '../../../../sdk/src/cli/checks.ts';
import { type WebhookCheck, webhookCheckOf } from '../../support/schemas/check-webhook.ts';
import { startTestService } from '../../support/service/service.ts';
import { runCli } from '../run-cli.ts';
import {
  BASIC,
  type Judge,
  LISTENER,
  startListener,
  verified,
  verifiedAs,
  verifiedUnder,
  withHeaders,
} from './listeners.ts';

const OPTIONS = ['--listener-username', LISTENER.username].concat([
  ...['--listener-password', LISTENER.password, '--signing-secret', LISTENER.signingSecret],
]);
const TAKEN = LISTENER_CHECKS.filter(({ expected }) => expected === 'TAKEN');
const REFUSED = LISTENER_CHECKS.filter(({ expected }) => expected === 'REFUSED');
const namesOf = (checks: readonly { readonly name: string }[]) => checks.map(({ name }) => name);

let folder: string;
let webhookFaults: WebhookCheck;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payreq-'));
  const service = await startTestService();
  const { text } = await service.call('GET', '/openapi.json');
  webhookFaults = webhookCheckOf(text);
  await service.stop();
});
after(() => rmSync(folder, { recursive: true }));

/** Runs verify-listener on a listener, once as JSON. */
async function verify(judge: Judge, ...more: string[]) {
  const listener = await startListener(judge);
  try {
    const args = ['verify-listener', listener.url, '--json', ...OPTIONS, ...more];
    const ran = await runCli(args, { LOCAL_DIR: folder });
    const { checks, ok, diagnosis } = ran.json();
    const failed: { name: string; because: string }[] = checks.filter(
      (check: { ok: boolean }) => !check.ok,
    );
    assert.equal(ok, failed.length === 0);
    assert.equal(ran.exitCode, ok ? 0 : 1);
    return {
      failed: namesOf(failed),
      advice: failed.map(({ because }) => because),
      count: checks.length,
      diagnosis,
      received: listener.received,
    };
  } finally {
    await listener.close();
  }
}

/** The listener's stored ids of events. */
function remembering(answerRepeat: number): Judge {
  const seen = new Set<unknown>();
  return (received) => {
    const answer = verified(received);
    if (answer !== 204) return answer;
    const id = received.headers['webhook-id'];
    if (seen.has(id)) return answerRepeat;
    seen.add(id);
    return 204;
  };
}

/** Verifies against the timestamp alone, however old it is. */
const withoutAge: Judge = ({ headers, body }) => {
  if (headers.authorization !== BASIC) return 401;
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': sent } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string') return 400;
  const at = new Date(Number(timestamp) * 1000);
  const right = new Webhook(LISTENER.signingSecret).sign(id, at, body);
  return String(sent).split(' ').includes(right) ? 204 : 400;
};

/** Answers first, and stores the event afterwards: a crash in between loses the event. */
function storingLate(): Judge {
  const stored: string[] = [];
  return (received) => {
    const answer = verified(received);
    if (answer === 204) setImmediate(() => stored.push(received.body));
    return answer;
  };
}

interface Listener {
  readonly title: string;
  readonly judge: () => Judge;
  /** The names of the checks that fail. */
  readonly fails: readonly string[];
  readonly diagnosis?: string;
}

const LISTENERS: readonly Listener[] = [
  { title: 'takes a right listener', judge: () => remembering(204), fails: [] },
  {
    title: 'takes a listener that validates by the OpenAPI document',
    judge: () => (received) => {
      const answer = verified(received);
      return answer === 204 && webhookFaults(received.body).length > 0 ? 422 : answer;
    },
    fails: [],
  },
  { title: 'cannot see that a listener works on repeats', judge: () => verified, fails: [] },
  { title: 'cannot see that a listener answers, then stores', judge: storingLate, fails: [] },
  {
    title: 'finds a listener that checks no signature',
    judge:
      () =>
      ({ headers }) =>
        headers.authorization === BASIC ? 204 : 401,
    fails: namesOf(REFUSED).filter((name) => !/password|Authorization/.test(name)),
  },
  {
    title: 'finds a listener that checks no Basic credentials',
    judge: () => verifiedAs((received) => withHeaders(received, { authorization: BASIC })),
    fails: ['a wrong password', 'no Authorization'],
  },
  {
    title: 'finds a listener that answers 200 before its checks',
    judge: () => () => 200,
    fails: namesOf(REFUSED),
  },
  {
    title: 'finds a listener that answers 409 to a repeat',
    judge: () => remembering(409),
    fails: ['the same webhook again', 'the same webhook five times at once'],
  },
  {
    title: 'finds a listener that takes any timestamp',
    judge: () => withoutAge,
    fails: ['an old timestamp, rightly signed', 'a timestamp of the future'],
  },
  {
    title: 'finds a listener that reads the first signature only',
    judge: () =>
      verifiedAs((received) => {
        const [first] = String(received.headers['webhook-signature'] ?? '').split(' ');
        return withHeaders(received, { 'webhook-signature': first });
      }),
    fails: ['two signatures, one of them right'],
  },
  {
    title: 'finds a listener that verifies a rewritten body',
    judge: () => verifiedAs(({ body }) => ({ body: JSON.stringify(JSON.parse(body)) })),
    fails: namesOf(TAKEN),
    diagnosis: 'REWRITES_BODY',
  },
  {
    title: 'finds a listener whose key is not decoded',
    judge: () => (received) => {
      const undecoded = Buffer.from(LISTENER.signingSecret.slice('whsec_'.length));
      return verifiedUnder(`whsec_${undecoded.toString('base64')}`)(received);
    },
    fails: namesOf(TAKEN),
    diagnosis: 'REFUSES_ALL',
  },
  {
    title: 'finds a listener that expects another password',
    judge: () => verifiedAs((received) => withHeaders(received, { authorization: 'Basic eDp5' })),
    fails: namesOf(TAKEN),
    diagnosis: 'REFUSES_ALL',
  },
];

describe('payreq verify-listener', () => {
  for (const { title, judge, fails, diagnosis = null } of LISTENERS) {
    it(title, async () => {
      const found = await verify(judge());
      assert.deepEqual(found.failed, fails);
      assert.equal(found.diagnosis, diagnosis);
      assert.equal(found.count, LISTENER_CHECKS.length);
    });
  }

  it('finds a slow listener, and advises it to answer before the work', async () => {
    const found = await verify(() => null, '--timeout', '1');
    assert.deepEqual(found.failed, ['a webhook']);
    assert.equal(found.diagnosis, 'SLOW');
    assert.match(found.advice.join(), /^Store the event, answer 2xx, and work later: .* 15 s/);
    assert.equal(found.count, 1);
  });

  it('advises about slowness where a later check finds the listener slow', async () => {
    let count = 0;
    const stuck: Judge = (received) => (count++ === 1 ? null : verified(received));
    const found = await verify(stuck, '--timeout', '4');
    assert.deepEqual(found.failed, ['the same webhook again']);
    assert.match(found.advice.join(), /^Store the event/);
    assert.equal(found.count, LISTENER_CHECKS.length);
  });

  it('finds a listener that stumbles over a webhook that it must refuse', async () => {
    const { failed } = await verify((received) => (verified(received) === 204 ? 204 : 500));
    assert.deepEqual(failed, namesOf(REFUSED));
  });

  it('sends whole payment requests whose bytes do not survive a rewriting', async () => {
    const { received } = await verify(verified);
    assert.ok(received.length >= LISTENER_CHECKS.length);
    for (const { body } of received) {
      const event = JSON.parse(body);
      assert.deepEqual(webhookFaults(body), []);
      assert.deepEqual([event.eventType, event.test], ['PAYMENT-FAILED', true]);
      const { id, amount, status, merchant, invoiceNumber } = event.resource;
      assert.deepEqual([id, status], ['00000000-0000-0000-0000-000000000000', 'FAILED']);
      assert.deepEqual([amount, merchant.name, invoiceNumber], [10, 'Demo Shop', '1042']);
      assert.match(body, /"amount":10\.00,/);
      assert.match(body, /caf\\u00e9/);
      assert.notEqual(JSON.stringify(event), body);
    }
  });

  it('prints below the table which faults it cannot see, with a recipe for each', async () => {
    const listener = await startListener(verified);
    const { stdout, exitCode } = await runCli(['verify-listener', listener.url, ...OPTIONS]);
    await listener.close();
    assert.equal(exitCode, 0);
    const [table = '', below = ''] = stdout.split('The listener is right in all');
    assert.equal(table.match(/^ok {2}/gm)?.length, LISTENER_CHECKS.length);
    assert.match(below, /No check from outside sees these two faults/);
    assert.ok(below.includes(`payreq trigger depositDuplicate --webhook-url ${listener.url} `));
    assert.match(below, /before it is stored: .*depositSubmit:0 .*kill -9/);
  });

  it('prints why a rewritten body fails, once', async () => {
    const listener = await startListener(
      verifiedAs(({ body }) => ({ body: JSON.stringify(JSON.parse(body)) })),
    );
    const { stdout } = await runCli(['verify-listener', listener.url, ...OPTIONS]);
    await listener.close();
    assert.match(stdout, /^7 of 17 checks failed\.\nThe listener verifies a copy of the body/m);
    assert.doesNotMatch(stdout, /^- a webhook: /m);
  });

  it('prints one advice for a listener that refuses every webhook', async () => {
    const listener = await startListener(() => 401);
    const { stdout } = await runCli(['verify-listener', listener.url, ...OPTIONS]);
    await listener.close();
    assert.match(stdout, /^7 of 17 checks failed\.\nThe listener refuses every right webhook\./m);
    assert.match(stdout, /signing secret .*base64 text after whsec_, decoded to bytes\.\n\n/);
    assert.doesNotMatch(stdout, /^- (a webhook|the same webhook again): /m);
  });

  it('prints one line where no listener is', async () => {
    const { stdout, exitCode } = await runCli([
      'verify-listener',
      'http://127.0.0.1:1/',
      ...OPTIONS,
    ]);
    assert.equal(exitCode, 1);
    assert.equal(
      stdout,
      'No answer from http://127.0.0.1:1/: connect ECONNREFUSED 127.0.0.1:1. ' +
        'Start the listener, or correct the URL.\n',
    );
  });

  it('says what is missing without credentials', async () => {
    const none = { LOCAL_DIR: join(folder, 'nothing') };
    const { stderr, exitCode } = await runCli(['verify-listener', 'http://127.0.0.1:1/'], none);
    assert.equal(exitCode, 1);
    assert.match(stderr, /No credentials were given, and .*credentials.json cannot be read/);
  });

  it('names a signing secret that is no key', async () => {
    const access = ['--listener-username', 'u', '--listener-password', 'p'];
    for (const [secret, sentence] of [
      ['whsec_%', 'The signing secret is whsec_ and a key in base64.'],
      ['whsec_c2hvcnQ=', 'The signing secret has a key of fewer than 16 bytes.'],
    ] as const) {
      const args = [
        'verify-listener',
        'http://127.0.0.1:1/',
        ...access,
        '--signing-secret',
        secret,
      ];
      const { stderr, exitCode } = await runCli(args, {});
      assert.deepEqual([exitCode, stderr], [1, `${sentence}\n`]);
    }
  });

  it('refuses a time-out that is longer than the service’s', async () => {
    const args = ['verify-listener', 'http://127.0.0.1:1/', '--timeout', '16'];
    const { stderr, exitCode } = await runCli(args);
    assert.equal(exitCode, 2);
    assert.match(stderr, /Give seconds, from 1 to 15/);
  });
});
