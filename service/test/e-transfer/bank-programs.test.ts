import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { recordPolicy } from '#approvals/record-policy.ts';
import { readConfig } from '#config.ts';
import { approveAsSecond } from '#e-transfer/bank-transfer/tokens/change-token.ts';
import { paymentFilesOf } from '../commands/bank/payment-files.ts';
import { runCli } from '../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../support/bank/bank-production.ts';
import { writeStatement, writeStatementFile } from '../support/bank/write-statement.ts';
import { writeZip } from '../support/bank/write-zip.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { createTestDatabase } from '../support/database.ts';
import { bankPrograms } from '../support/documents/bank-programs.ts';
import { eventually } from '../support/eventually.ts';
import { settingsOf, startTestService } from '../support/service/service.ts';
import { spawnService } from '../support/service/spawned-service.ts';

const OTHER_IBAN = 'DE02120300000000202051';

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  readonly json: any;
}

describe('the calls of banks’ programs', () => {
  let bank: BankProduction;
  let refunds: string;
  /** A token for the account, of each scope. */
  let upload: string;
  let send: string;
  before(async () => {
    refunds = mkdtempSync(join(tmpdir(), 'payment-files-'));
    const settings = { BANK_REFUNDS_DIR: refunds, TRUSTED_PROXIES: '127.0.0.1' };
    bank = await startBankProduction({ settings });
    upload = (await createToken('bank-files/write')).token;
    send = (await createToken('payment-files/send')).token;
  });
  after(async () => {
    await bank?.stop();
    rmSync(refunds, { recursive: true, force: true });
  });

  const run = (...args: string[]) => runCli(args, bank.service.env);
  async function createToken(scope: string, ...more: string[]) {
    const made = await run(
      ...['token', 'create', '--scope', scope, '--account', HARBOUR_IBAN, '--json', ...more],
    );
    assert.equal(made.exitCode, 0, made.stderr);
    const created = made.json() as {
      readonly id: string;
      readonly token: string;
      readonly isActive: boolean;
    };
    bank.service.canaries.see({ secret: created.token });
    return created;
  }

  interface Sent {
    readonly token?: string;
    readonly body?: Buffer | string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  /** The result of work; the loop of files looks meanwhile. */
  async function whileLooking<Result>(work: Promise<Result>, what: string): Promise<Result> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    const looking = eventually(async () => {
      await bank.service.advance(0);
      return isOver;
    }, what);
    const [result] = await Promise.all([over, looking]);
    return result;
  }
  /** A call at the operators' listener. */
  async function call(method: string, path: string, sent: Sent = {}): Promise<Answered> {
    const { token, body, headers } = sent;
    const asked = fetch(bank.service.opsUrl + path, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const answer = await whileLooking(asked, 'the answer');
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const retryAfter = answer.headers.get('retry-after');
    const json = isJson ? JSON.parse(text) : undefined;
    return { status: answer.status, body: text, retryAfter, json };
  }
  const put = (body: Buffer, sent: Sent = {}, name = 'statement.xml') =>
    call('PUT', `/bank-files/${name}`, { token: upload, body, ...sent });

  /** A payment request, and a statement that pays it. */
  async function payment(iban = HARBOUR_IBAN) {
    const { id, reference } = await bank.show();
    const entries = [{ amountCents: 10_000, reference }];
    return { id, bytes: writeStatement({ iban, entries }) };
  }
  const digestOf = (bytes: Buffer) =>
    `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

  it('takes a statement once, and says so again', async () => {
    const { id, bytes } = await payment();
    const headers = { 'content-digest': digestOf(bytes) };
    const first = await put(bytes, { headers });
    assert.equal(first.status, 201, first.body);
    assert.equal(first.json.state, 'TAKEN');
    await eventually(async () => (await bank.statusOf(id)) === 'PAID', 'the payment');
    const again = await put(bytes, {}, 'another-name.xml');
    assert.deepEqual([again.status, again.json], [200, first.json]);
    assert.deepEqual(await bank.deliver(bytes), { state: 'COMPLETE', reason: null });
    assert.deepEqual(await bank.ledger(), ['PAYMENT 100.00']);
  });

  it('takes archives, and the same bytes of several calls at once', async () => {
    const { id, bytes } = await payment();
    const zip = writeZip([{ bytes }]);
    const answers = await Promise.all([put(zip), put(zip)]);
    const said = answers.map(({ body: text }) => text).join();
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 201], said);
    assert.equal(answers[0]?.json.id, answers[1]?.json.id);
    assert.equal((await put(gzipSync(bytes))).status, 201);
    await eventually(async () => (await bank.statusOf(id)) === 'PAID', 'the payment');
    assert.equal((await bank.ledger()).length, 2);
  });

  it('refuses a file in the words of every other way', async () => {
    const bytes = Buffer.from('<Document/>');
    const answer = await put(bytes);
    assert.equal(answer.status, 422, answer.body);
    assert.equal(answer.json.code, 'FILE_REFUSED');
    assert.equal((await bank.deliver(bytes)).reason, answer.json.detail);
    const again = await put(bytes);
    assert.deepEqual([again.status, again.json], [422, answer.json]);
  });

  it('counts entries of the accounts of the token alone, and says which wait', async () => {
    await bank.setAccount(OTHER_IBAN);
    const other = await bank.show();
    await bank.setAccount(HARBOUR_IBAN);
    const own = await bank.show();
    const statementOf = (iban: string, { reference }: TransferLink) => ({
      ...{ iban, entries: [{ amountCents: 10_000, reference }] },
    });
    const foreign = statementOf(OTHER_IBAN, other);
    const alone = await put(writeStatement(foreign));
    assert.equal(alone.status, 422);
    assert.match(alone.json.detail, /^Entries of account …2051 do not count: neither/);
    const statements = [statementOf(HARBOUR_IBAN, own), foreign];
    const bytes = writeStatementFile({ statements });
    const both = await put(bytes);
    assert.deepEqual([both.status, both.json.state], [201, 'TAKEN']);
    assert.equal(both.json.reason, alone.json.detail);
    await eventually(async () => (await bank.statusOf(own.id)) === 'PAID', 'the payment');
    assert.equal(await bank.statusOf(other.id), 'CREATED');
    const { token } = await createToken('bank-files/write', '--account', OTHER_IBAN);
    const whole = await put(bytes, { token });
    assert.deepEqual([whole.status, whole.json.reason], [200, null]);
    await eventually(async () => (await bank.statusOf(other.id)) === 'PAID', 'the payment');
  });

  const body = Buffer.from('<Document/>');
  const secure = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
  const refusals: readonly (readonly [string, () => Promise<Answered>, number, string])[] = [
    ['no token', () => call('PUT', '/bank-files/a.xml', { body }), 401, 'TOKEN_INVALID'],
    ['an unknown token', () => put(body, { token: 'x'.repeat(43) }), 401, 'TOKEN_INVALID'],
    ['the other scope', () => put(body, { token: send }), 403, 'INSUFFICIENT_SCOPE'],
    [
      'a scope that only brings files',
      () => call('GET', '/payment-files?status=WAITING', { token: upload }),
      403,
      'INSUFFICIENT_SCOPE',
    ],
    [
      'a proxy that received it without TLS',
      () => put(body, { headers: { ...secure, 'x-forwarded-proto': 'http' } }),
      403,
      'INSECURE_TRANSPORT',
    ],
    [
      'a proxy of which one part had no TLS',
      () => put(body, { headers: { ...secure, 'x-forwarded-proto': 'http, https' } }),
      403,
      'INSECURE_TRANSPORT',
    ],
    [
      'a proxy that says its name alone',
      () => put(body, { headers: { via: '1.1 proxy' } }),
      403,
      'INSECURE_TRANSPORT',
    ],
    [
      'a digest of other bytes',
      () => put(body, { headers: { 'content-digest': digestOf(Buffer.from('?')) } }),
      400,
      'DIGEST_MISMATCH',
    ],
    [
      'a digest of another kind',
      () => put(body, { headers: { 'content-digest': 'md5=:AAAA:' } }),
      400,
      'DIGEST_INVALID',
    ],
    ['a path as the name', () => put(body, {}, '..%2F..%2Fetc'), 400, 'NAME_INVALID'],
    ['a name of 101 characters', () => put(body, {}, 'a'.repeat(101)), 400, 'NAME_INVALID'],
    ['an empty body', () => put(Buffer.alloc(0)), 400, 'BODY_EMPTY'],
    [
      'an encoding around the file',
      () => put(gzipSync(body), { headers: { 'content-encoding': 'gzip' } }),
      415,
      'ENCODING_NOT_SUPPORTED',
    ],
    ['26 MB', () => put(Buffer.alloc(26 * 1024 * 1024)), 413, 'PAYLOAD_TOO_LARGE'],
    [
      'another status than WAITING',
      () => call('GET', '/payment-files?status=SENT', { token: send }),
      400,
      'STATUS_INVALID',
    ],
  ];
  for (const [name, act, status, code] of refusals) {
    it(`refuses ${name}`, async () => {
      const answer = await act();
      assert.equal(answer.status, status, answer.body);
      assert.equal(answer.json.code, code);
    });
  }

  it('takes a token only from its addresses, as its proxies say them', async () => {
    const { token } = await createToken('bank-files/write', '--from', '192.0.2.0/24');
    const from = (address: string) => ({ ...secure, 'x-forwarded-for': address });
    const of = async (address: string) => put(body, { token, headers: from(address) });
    assert.equal((await of('192.0.2.7')).status, 422);
    assert.equal((await of('192.0.2.7, 127.0.0.1')).status, 422);
    for (const address of ['198.51.100.1', '192.0.2.7, 198.51.100.1', 'nonsense']) {
      assert.equal((await of(address)).json.code, 'SOURCE_NOT_ALLOWED', address);
    }
    assert.equal((await put(body, { token })).json.code, 'SOURCE_NOT_ALLOWED');
  });

  it('takes no token that is revoked or over, and lists each without its secret', async () => {
    const short = await createToken('bank-files/write', '--expires-in', '1d');
    const { id, token } = await createToken('bank-files/write');
    assert.equal((await put(body, { token })).status, 422);
    assert.equal((await run('token', 'revoke', id, '--yes')).exitCode, 0);
    assert.match((await run('token', 'revoke', id, '--yes')).stderr, /is REVOKED/);
    assert.equal((await put(body, { token })).status, 401);
    await bank.service.database.sql(
      `UPDATE bank_tokens SET expires_at = service_now() WHERE id = $1`,
      [short.id],
    );
    assert.equal((await put(body, { token: short.token })).status, 401);
    const { stdout } = await run('token', 'list');
    assert.match(stdout, new RegExp(`${id} +bank-files/write +REVOKED .*T\\d`));
    assert.match(stdout, new RegExp(`${short.id} +bank-files/write +EXPIRED `));
    assert.doesNotMatch(stdout, new RegExp(token));
    const acts = await bank.service.database.sql<{ action: string }>(
      `SELECT action FROM audit_log WHERE details->>'tokenId' = $1 ORDER BY position`,
      [id],
    );
    assert.deepEqual(
      acts.map(({ action }) => action),
      ['BANK_TOKEN_CREATED', 'BANK_TOKEN_REVOKED'],
    );
  });

  it('is for 60 calls in any hour a token', async () => {
    const { id, token } = await createToken('payment-files/send');
    // A call 50 minutes ago, and 57 of 10 minutes ago: an hour of the clock may turn between them.
    // The last call began later than the next one, and had the row before it.
    await bank.service.database.sql(
      `UPDATE bank_tokens SET calls = service_now() - interval '50 minutes' ||
         array_fill(service_now() - interval '10 minutes', ARRAY[57]) ||
         (service_now() + interval '1 minute') WHERE id = $1`,
      [id],
    );
    const look = () => call('GET', '/payment-files?status=WAITING', { token });
    assert.equal((await look()).status, 200);
    const refused = await look();
    assert.equal(refused.json.code, 'RATE_LIMITED');
    assert.match(refused.retryAfter ?? '', /^(600|59\d)$/);
    await bank.service.advance(601);
    assert.equal((await look()).status, 200);
    assert.equal((await look()).json.code, 'RATE_LIMITED');
  });

  it('counts a token of two people once another known person has approved it', async () => {
    const { database, clock } = bank.service;
    const policy = (isOn: boolean) =>
      recordPolicy({ db: database.db, clock }, { isOn, refundsAboveCents: 0 });
    await policy(true);
    const { id, token, isActive } = await createToken('bank-files/write');
    await policy(false);
    assert.equal(isActive, false);
    assert.equal((await put(body, { token })).status, 401);
    const deps = { db: database.db, audit: async () => {}, connections: [] };
    const [made] = await database.sql<{ by: string }>(
      'SELECT created_by AS by FROM bank_tokens WHERE id = $1',
      [id],
    );
    const approve = (actor: string, isProven: boolean) =>
      approveAsSecond(deps, id, { actor, isProven });
    await assert.rejects(approve(made?.by ?? '', true), /Another person/);
    await assert.rejects(approve('bob', false), /Another person/);
    assert.equal((await put(body, { token })).status, 401);
    await approve('bob', true);
    assert.equal((await put(body, { token })).status, 422);
    await assert.rejects(approve('bob', true), /is ACTIVE/);
  });

  it('does not approve a second way of an account that pays by SFTP meanwhile', async () => {
    const { database, clock } = bank.service;
    const policy = (isOn: boolean) =>
      recordPolicy({ db: database.db, clock }, { isOn, refundsAboveCents: 0 });
    await policy(true);
    const { id } = await createToken('payment-files/send');
    await policy(false);
    const { connections } = readConfig({
      ...bank.service.env,
      ...{ BANK_SFTP_URL: 'sftp://shop@127.0.0.1:1', BANK_SFTP_PASSWORD: 'secret' },
      ...{ BANK_SFTP_HOST_KEY: `SHA256:${'A'.repeat(43)}`, BANK_SFTP_PAYMENTS: '/in' },
      BANK_SFTP_ACCOUNTS: HARBOUR_IBAN,
    }).bank;
    const deps = { db: database.db, audit: async () => {}, connections };
    const approved = approveAsSecond(deps, id, { actor: 'bob', isProven: true });
    await assert.rejects(approved, /…3000 pays by BANK_SFTP_PAYMENTS: one way only/);
    assert.match((await run('token', 'list')).stdout, new RegExp(`${id} .*UNAPPROVED`));
  });

  /** Writes to the listener as no library would. */
  function write(text: string) {
    const { hostname, port } = new URL(bank.service.opsUrl);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('error', () => {});
    return socket;
  }
  const headOf = (length: number, token: string) =>
    `PUT /bank-files/a.xml HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Length: ${length}\r\n\r\n`;

  it('takes two files at a time, answers probes meanwhile, and keeps no half file', async () => {
    const { sql } = bank.service.database;
    const before = await sql('SELECT FROM bank_files');
    const { id, token } = await createToken('bank-files/write');
    const silent = [1, 2].map(() => write(`${headOf(900, token)}<Document`));
    await eventually(async () => {
      const uses = `SELECT FROM bank_tokens WHERE id = $1 AND cardinality(calls) = 2`;
      return (await sql(uses, [id])).length === 1;
    }, 'two silent bodies');
    assert.equal((await put(body, { token })).json.code, 'BUSY');
    assert.equal((await fetch(`${bank.service.opsUrl}/health/live`)).status, 200);
    for (const socket of silent) socket.destroy();
    await eventually(async () => (await put(body, { token })).status === 422, 'a free turn');
    assert.equal((await sql('SELECT FROM bank_files')).length, before.length);
  });

  it('reads the bytes of one call, and not those behind it', async () => {
    const { token } = await createToken('bank-files/write');
    const socket = write(`${headOf(11, token)}<Document/>${headOf(11, 'wrong')}<Document/>`);
    let got = '';
    socket.on('data', (data) => {
      got += data;
    });
    await eventually(async () => {
      await bank.service.advance(0);
      return (got.match(/HTTP\/1\.1 \d/g) ?? []).length === 2;
    }, 'both answers');
    socket.destroy();
    assert.match(got, /^HTTP\/1\.1 422 .*HTTP\/1\.1 401 /s);
  });

  const paymentFiles = paymentFilesOf(() => bank);
  const { actOn, stateOf } = paymentFiles;
  /** A committed payment file with one refund of 1.00. */
  async function paymentFile(isReleased = true): Promise<string> {
    const { messageId } = await paymentFiles.write();
    if (isReleased) assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
    return messageId;
  }
  const json = { 'content-type': 'application/json' };
  const step = (id: string, word: 'claim' | 'sent', claimId: unknown, token = send) =>
    call('POST', `/payment-files/${id}/${word}`, {
      ...{ token, headers: json },
      body: JSON.stringify({ claimId }),
    });
  const waiting = async () => {
    const { data } = (await call('GET', '/payment-files?status=WAITING', { token: send })).json;
    return data as readonly { readonly id: string }[];
  };
  const leftInFolder = () => readdirSync(refunds).filter((name) => name.endsWith('.xml'));

  it('hands a released payment file to one program, and to no folder', async () => {
    const id = await paymentFile(false);
    const claimId = randomUUID();
    assert.deepEqual(await waiting(), []);
    assert.equal((await step(id, 'claim', claimId)).json.code, 'PAYMENT_FILE_NOT_RELEASED');
    assert.equal((await actOn('release', id, '--yes')).exitCode, 0);
    const [listed, ...more] = await waiting();
    assert.deepEqual(more, []);
    const { createdDateTime, releasedDateTime, ...facts } = listed as Record<string, unknown>;
    assert.ok(createdDateTime && releasedDateTime);
    const sums = { refunds: 1, total: '1.00', currency: 'EUR' };
    assert.deepEqual(facts, { id, account: HARBOUR_IBAN, ...sums });
    const claimed = await step(id, 'claim', claimId);
    assert.equal(claimed.status, 200, claimed.body);
    assert.match(claimed.body, new RegExp(`<MsgId>${id}</MsgId>`));
    assert.equal((await step(id, 'claim', claimId)).body, claimed.body);
    assert.deepEqual(await waiting(), []);
    assert.equal((await step(id, 'claim', randomUUID())).json.code, 'PAYMENT_FILE_CLAIMED');
    assert.equal((await step(id, 'sent', randomUUID())).json.code, 'PAYMENT_FILE_CLAIMED');
    assert.match((await actOn('set-way', id, '--way', 'folder')).stderr, /has begun to leave/);
    for (let n = 0; n < 2; n += 1) assert.equal((await step(id, 'sent', claimId)).status, 204);
    assert.equal(await stateOf(id), 'SENT');
    assert.equal((await step(id, 'claim', claimId)).body, claimed.body);
    assert.equal((await step(id, 'claim', randomUUID())).json.code, 'PAYMENT_FILE_SENT');
    assert.match((await run('bank', 'refunds')).stdout, /No refund waits for a payment file/);
    assert.deepEqual(leftInFolder(), []);
    const again = await run('bank', 'refunds', '--again', id);
    assert.match(
      again.stdout,
      /\.copy: 1 refund.*\nA copy: the file goes by program and is SENT\. /,
    );
  });

  it('hands a file to one of many claims at once', async () => {
    const id = await paymentFile();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => step(id, 'claim', randomUUID())),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409, 409, 409, 409]);
  });

  it('warns in the doctor of files that programs get without a person', async () => {
    const provider = { CONSOLE_OIDC_ISSUER: 'https://id.example', CONSOLE_OIDC_CLIENT_ID: 'c' };
    const approvals = { APPROVALS: 'yes', CONSOLE_ROLES: 'ops=operator', ...provider };
    const settings = { ...approvals, BANK_PROGRAM_RELEASE: 'bank' };
    const { stdout } = await runCli(['doctor'], { ...bank.service.env, ...settings });
    assert.match(stdout, /without a person: is bank meant in BANK_PROGRAM_RELEASE, and does/);
  });

  it('shows and gives no file of an account that the token does not list', async () => {
    const id = await paymentFile();
    const made = await run(
      ...['token', 'create', '--scope', 'payment-files/send', '--account', OTHER_IBAN, '--json'],
    );
    const { token } = made.json();
    const { json: seen } = await call('GET', '/payment-files?status=WAITING', { token });
    assert.deepEqual(seen.data, []);
    for (const word of ['claim', 'sent'] as const) {
      const answer = await step(id, word, randomUUID(), token);
      assert.deepEqual([answer.status, answer.json.code], [404, 'PAYMENT_FILE_NOT_FOUND']);
    }
    for (const none of ['NONE', '%00', 'x'.repeat(36)]) {
      assert.equal((await step(none, 'claim', randomUUID())).status, 404, none);
    }
    for (const claimId of [undefined, 7, 'no-uuid']) {
      assert.equal((await step(id, 'claim', claimId)).json.code, 'CLAIM_ID_INVALID');
    }
    assert.equal((await actOn('set-way', id, '--way', 'program')).exitCode, 0);
    assert.equal((await step(id, 'claim', randomUUID())).json.code, 'PAYMENT_FILE_NOT_RELEASED');
    assert.equal((await actOn('set-way', id, '--way', 'folder')).exitCode, 0);
    assert.equal((await step(id, 'claim', randomUUID())).status, 404);
  });

  it('makes a case of a claim that is not sent within an hour', async () => {
    const [lost, sent] = [await paymentFile(), await paymentFile()];
    const claimId = randomUUID();
    for (const id of [lost, sent]) assert.equal((await step(id, 'claim', claimId)).status, 200);
    await bank.service.advance(3_599);
    assert.equal(await stateOf(lost), 'RELEASED');
    await bank.service.advance(61);
    await eventually(async () => {
      await bank.service.advance(0);
      return (await stateOf(lost)).startsWith('UNCLEAR: a program took it an hour ago');
    }, 'the case');
    for (const claim of [claimId, randomUUID()]) {
      assert.equal((await step(lost, 'claim', claim)).json.code, 'PAYMENT_FILE_UNCLEAR');
    }
    assert.equal((await step(sent, 'sent', claimId)).status, 204);
    assert.equal(await stateOf(sent), 'SENT');
    assert.equal((await actOn('settle', lost, '--as', 'lost', '--yes')).exitCode, 0);
    assert.equal((await step(lost, 'sent', claimId)).json.code, 'PAYMENT_FILE_CLAIMED');
    assert.equal((await step(lost, 'claim', randomUUID())).status, 200);
  });

  it('hands a file out no more once a person has said that the bank has it', async () => {
    const id = await paymentFile();
    const claimId = randomUUID();
    assert.equal((await step(id, 'claim', claimId)).status, 200);
    await bank.service.advance(3_661);
    await eventually(async () => {
      await bank.service.advance(0);
      return (await stateOf(id)).startsWith('UNCLEAR');
    }, 'the case');
    assert.equal((await actOn('settle', id, '--as', 'sent', '--yes')).exitCode, 0);
    assert.equal((await step(id, 'claim', claimId)).json.code, 'PAYMENT_FILE_SENT');
    assert.equal((await step(id, 'sent', claimId)).status, 204);
  });

  it('hands out no file with a refund that ended after its release', async () => {
    const id = await paymentFile();
    const [row] = await bank.service.database.sql<{ refundId: string }>(
      'SELECT refund_id AS "refundId" FROM bank_refunds WHERE message_id = $1',
      [id],
    );
    const fail = ['refund', 'fail', row?.refundId ?? '', '--note', 'The payer asked', '--yes'];
    assert.equal((await run(...fail)).exitCode, 0);
    assert.equal((await step(id, 'claim', randomUUID())).json.code, 'PAYMENT_FILE_OUTDATED');
  });

  describe('in the console', () => {
    const path = '/console/operator/bank-connection';
    async function sendFile(person: ConsoleClient, file: Buffer | null) {
      const { html } = await person.get('/console/account');
      const form = new FormData();
      form.append('csrf', /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '');
      if (file) form.append('file', new Blob([new Uint8Array(file)]), '../../statement.xml');
      const sent = fetch(`${bank.service.url}${path}/upload`, {
        ...{ method: 'POST', body: form, redirect: 'manual' },
        headers: { cookie: person.cookies() },
      });
      await bank.service.advance(0);
      const answer = await sent;
      return { status: answer.status, location: answer.headers.get('location') };
    }

    it('takes a file of an operator, with the act in the audit log', async () => {
      const operator = await signIn(bank.service, { role: 'operator' });
      assert.match((await operator.get(path)).html, new RegExp(`href="${path}/upload"`));
      assert.match((await operator.get(`${path}/upload`)).html, /type="file"/);
      const { id, bytes } = await payment();
      // Other programs end lines as Windows does.
      const lines = Buffer.from(bytes.toString().replace(/>\s*</g, `>${'\r\n'.repeat(99)}<`));
      const { status, location } = await sendFile(operator, lines);
      assert.equal(status, 303);
      assert.match(location ?? '', /bank-files\/[0-9a-f-]{36}\?done=fileUploaded$/);
      await eventually(async () => {
        await bank.service.advance(0);
        return (await bank.statusOf(id)) === 'PAID';
      }, 'the payment');
      assert.equal((await sendFile(operator, lines)).location, location);
      const refused = await sendFile(operator, Buffer.from('<Document/>'));
      const page = (await operator.get(refused.location ?? '')).html;
      assert.match(page, /badge bad">Refused/);
      assert.equal((await sendFile(operator, null)).status, 422);
      const large = await sendFile(operator, Buffer.alloc(4_300_000));
      assert.equal(large.status, 413);
      const acts = `SELECT FROM audit_log WHERE action = 'BANK_FILE_UPLOADED'`;
      assert.equal((await bank.service.database.sql(acts)).length, 3);
    });

    it('shows a second person the way that the first has asked for', async () => {
      const { database, clock } = bank.service;
      const id = await paymentFile();
      const operator = await signIn(bank.service, { role: 'operator' });
      const page = `${path}/payments/${id}`;
      assert.doesNotMatch((await operator.get(page)).html, /set-way/);
      const policy = (isOn: boolean) =>
        recordPolicy({ db: database.db, clock }, { isOn, refundsAboveCents: 0 });
      await policy(true);
      assert.match((await actOn('set-way', id, '--way', 'folder')).stdout, /^Noted: another/);
      await policy(false);
      assert.match((await operator.get(page)).html, /set-way.*Set the way: Folder/s);
      // No other value than those of its buttons counts: the folder needs no release.
      for (const fields of [{ way: '0' }, { way: 'nonsense' }, {}] as Record<string, string>[]) {
        const refused = await operator.post(`${page}/set-way`, fields);
        assert.equal(refused.status, 400);
        assert.match(refused.html, /<li>Give way as a way that a first person has asked for/);
      }
      assert.equal(await stateOf(id), 'RELEASED');
      assert.match(
        (await operator.post(`${page}/set-way`, { way: 'folder' })).location ?? '',
        /Acted/,
      );
      assert.match((await operator.get(page)).html, /Folder/);
      assert.equal((await step(id, 'claim', randomUUID())).status, 404);
    });

    it('takes no file of a person who only reads', async () => {
      const reader = await signIn(bank.service, { role: 'operator-readonly' });
      assert.doesNotMatch((await reader.get(path)).html, /bank-connection\/upload/);
      assert.equal((await reader.get(`${path}/upload`)).status, 403);
      assert.equal((await sendFile(reader, body)).status, 403);
    });

    it('lists tokens, and approves none without a second known person', async () => {
      const { database, clock } = bank.service;
      const policy = (isOn: boolean) =>
        recordPolicy({ db: database.db, clock }, { isOn, refundsAboveCents: 0 });
      await policy(true);
      const { id } = await createToken('bank-files/write', '--from', '203.0.113.0/24');
      await policy(false);
      const operator = await signIn(bank.service, { role: 'operator' });
      const { html } = await operator.get(path);
      assert.match(
        html,
        /bank-files\/write.*Waits for a second person.*…3000.*203\.0\.113\.0\/24/s,
      );
      const refused = await operator.post(`${path}/approve`, { token: id });
      assert.match(refused.html, /Another person, signed in at the identity provider/);
      const french = await operator.post(`${path}/approve?lang=fr`, { token: id });
      assert.match(french.html, /Une autre personne, identifiée auprès du fournisseur d’identité/);
    });
  });

  it('is called by the programs of the guide', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payreq-bank-'));
    const programs = bankPrograms(folder, bank.service.opsUrl);
    await promisify(execFile)('sh', ['-ec', programs.install]);
    mkdirSync(join(folder, 'bin'));
    for (const [n, words] of programs.tokens.entries()) {
      const { token } = (await run(...words, '--json')).json();
      bank.service.canaries.see({ secret: token });
      const name = n === 0 ? 'upload-token' : 'send-token';
      writeFileSync(join(folder, name), `Authorization: Bearer ${token}\n`);
    }
    const order = join(folder, 'bin', 'bank-order');
    writeFileSync(order, '#!/bin/sh\ncp "$1" ../ordered.xml\n', { mode: 0o700 });
    const runProgram = async (text: string) => {
      const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
      const ran = promisify(execFile)('sh', ['-c', text], { env });
      await whileLooking(ran, 'the end of the program');
    };
    const { id, bytes } = await payment();
    writeFileSync(join(folder, 'statements', 'good.xml'), bytes);
    writeFileSync(join(folder, 'statements', 'a bad one.xml'), '<Document/>');
    writeFileSync(join(folder, 'statements', 'a large one.xml'), Buffer.alloc(27_000_000));
    const file = await paymentFile();
    await runProgram(programs.upload);
    assert.deepEqual(readdirSync(join(folder, 'statements')), []);
    assert.deepEqual(readdirSync(join(folder, 'refused')), ['a bad one.xml', 'a large one.xml']);
    await eventually(async () => (await bank.statusOf(id)) === 'PAID', 'the payment');
    await runProgram(programs.send);
    assert.match(readFileSync(join(folder, 'ordered.xml'), 'utf8'), new RegExp(file));
    assert.equal(await stateOf(file), 'SENT');
    const left = readdirSync(join(folder, 'payments'));
    assert.deepEqual(
      left.filter((name) => name.startsWith(file)),
      [],
    );
    rmSync(folder, { recursive: true });
  });

  it('refuses a start without any way in, or with two ways out for an account', async () => {
    const { database, env, clock } = bank.service;
    const kept = { ...database, drop: async () => {} };
    const start = (settings: Record<string, string>) =>
      startTestService({
        ...{ environment: 'production', start: clock.now(), database: kept },
        settings: { ...env, ...settings },
      });
    const sftp = {
      BANK_SFTP_URL: 'sftp://shop@127.0.0.1:1',
      BANK_SFTP_PASSWORD: 'secret',
      BANK_SFTP_HOST_KEY: `SHA256:${'A'.repeat(43)}`,
      BANK_SFTP_PAYMENTS: '/in',
      BANK_SFTP_ACCOUNTS: HARBOUR_IBAN,
    };
    await assert.rejects(start(sftp), /…3000 would leave by BANK_SFTP_PAYMENTS and by a token/);
    const twice = await runCli(
      ['token', 'create', '--scope', 'payment-files/send', '--account', HARBOUR_IBAN],
      { ...env, ...sftp },
    );
    assert.match(twice.stderr, /…3000 pays by BANK_SFTP_PAYMENTS: one way only/);
    await database.sql(`UPDATE bank_tokens SET revoked_at = service_now()`);
    await assert.rejects(start({ BANK_FILES_DIR: '' }), /payreq token create --scope bank-files/);
  });
});

describe('payreq serve --processes 2', () => {
  it('takes the files of programs in its parent, and reads them in a process below it', async () => {
    const database = await createTestDatabase('production');
    const settings = { E_TRANSFER_NETWORK: 'bank-transfer', CURRENCY: 'EUR' };
    const env = { ...settingsOf('production', database.url), ...settings };
    const made = await runCli(
      ['token', 'create', '--scope', 'bank-files/write', '--account', HARBOUR_IBAN, '--json'],
      env,
    );
    const service = spawnService({ args: ['--processes', '2'], env });
    try {
      const { opsUrl } = await service.started();
      const answer = await fetch(`${opsUrl}/bank-files/a.xml`, {
        ...{ method: 'PUT', body: '<Document/>' },
        headers: { authorization: `Bearer ${made.json().token}` },
      });
      assert.equal(answer.status, 422, await answer.text());
    } finally {
      service.signalGroup('SIGTERM');
      await service.ended();
      await database.drop();
    }
  });
});
