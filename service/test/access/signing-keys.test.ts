import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { removeSigningKey } from '#access/signing-keys/remove.ts';
import { rotateSigningKey } from '#access/signing-keys/rotate.ts';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

const PUBLISHED_AHEAD_MS = 5_000;
const HOUR_MS = 3_600_000;

describe('signing keys (contract §3)', () => {
  let deployment: Deployment;
  let one: Process;
  let two: Process;
  let merchant: OnboardedMerchant;
  before(async () => {
    deployment = await createDeployment();
    one = await deployment.startProcess();
    two = await deployment.startProcess();
    merchant = await deployment.onboard();
  });
  after(() => deployment.stop());

  const needs = () => ({ ...deployment, db: deployment.database.db });
  const rotate = (immediately = false) => rotateSigningKey(needs(), { immediately });
  const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? '';
  const publishedBy = async (process: Process) =>
    (await process.call('/.well-known/jwks.json')).json.keys.map((key: { kid: string }) => key.kid);
  const codeOf = async (process: Process, token: string) => {
    const answer = await process.read(merchant.apiKey, token);
    return answer.status === 200 ? 'OK' : answer.json.code;
  };

  it('are there when a deployment begins to listen, one for two processes at once', async () => {
    const fresh = await createDeployment();
    try {
      const processes = await Promise.all([fresh.startProcess(), fresh.startProcess()]);
      const rows = await fresh.database.sql<{ key_id: string }>('SELECT key_id FROM signing_keys');
      assert.equal(rows.length, 1);
      for (const process of processes) {
        assert.deepEqual(await publishedBy(process), [rows[0]?.key_id]);
      }
    } finally {
      await fresh.stop();
    }
  });

  it('are made by the first token call where there is none', async () => {
    await deployment.database.sql('DELETE FROM signing_keys');
    deployment.clock.advance(2_000);
    const tokens = await Promise.all(
      [one, two, one, two].map((process) => process.token(merchant)),
    );
    assert.equal(new Set(tokens.map(kidOf)).size, 1);
    assert.deepEqual(await publishedBy(two), [kidOf(tokens[0] ?? '')]);
  });

  it('are published as public halves only', async () => {
    const answer = await one.call('/.well-known/jwks.json');
    const [key] = answer.json.keys;
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/jwk-set\+json/);
    assert.equal(answer.headers['cache-control'], 'public, max-age=60');
    assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    assert.deepEqual([key.kty, key.crv, key.alg, key.use], ['OKP', 'Ed25519', 'EdDSA', 'sig']);
  });

  it('lie encrypted in the database', async () => {
    const { keyId, privateKey } = await one.access.signingKeys.signer();
    const secret = String(privateKey.export({ format: 'jwk' }).d);
    const [row] = await deployment.database.sql<{ boxed: Buffer; publicJwk: object }>(
      `SELECT private_key_encrypted AS boxed, public_jwk AS "publicJwk"
       FROM signing_keys WHERE key_id = $1`,
      [keyId],
    );
    assert.ok(row);
    assert.ok(!row.boxed.includes(secret) && !row.boxed.includes(Buffer.from(secret, 'base64url')));
    assert.deepEqual(Object.keys(row.publicJwk).sort(), ['crv', 'kty', 'x']);
  });

  it('rotate: the new one is published first, signs a little later, old tokens live on', async () => {
    const before = await one.token(merchant);
    const { keyId } = await rotate();
    deployment.clock.advance(2_000);
    assert.ok((await publishedBy(one)).includes(keyId), 'published before it signs');
    assert.equal(kidOf(await one.token(merchant)), kidOf(before));
    deployment.clock.advance(PUBLISHED_AHEAD_MS - 2_000);
    const later = await one.token(merchant);
    assert.equal(kidOf(later), keyId);
    for (const process of [one, two]) {
      assert.equal(await codeOf(process, before), 'OK');
      assert.equal(await codeOf(process, later), 'OK');
      assert.ok((await publishedBy(process)).includes(kidOf(before)));
    }
  });

  it('rotate: the new one signs from its instant on, by a key set that was read before', async () => {
    const { keyId } = await rotate();
    deployment.clock.advance(PUBLISHED_AHEAD_MS - 1);
    assert.notEqual(kidOf(await one.token(merchant)), keyId);
    deployment.clock.advance(1);
    assert.equal(kidOf(await one.token(merchant)), keyId);
  });

  it('rotate at once: a process that never saw the new key finds it', async () => {
    // Both processes have just looked, and remember the set without the new key.
    await Promise.all([publishedBy(one), publishedBy(two)]);
    const { keyId } = await rotate(true);
    const third = await deployment.startProcess();
    const token = await third.token(merchant);
    assert.equal(kidOf(token), keyId);
    assert.equal(await codeOf(two, token), 'OK');
  });

  it('unknown kids make a process look again at most once in 2 s', async () => {
    let statements = 0;
    const { db } = deployment.database;
    const counting = await deployment.startProcess({
      db: {
        ...db,
        query: (statement, values) => {
          if (statement.name === 'signing-key-list') statements++;
          return db.query(statement, values);
        },
      },
    });
    const token = await counting.token(merchant);
    deployment.clock.advance(2_000);
    statements = 0;
    const startedMs = performance.now();
    for (let index = 0; index < 10; index++) {
      const head = { alg: 'EdDSA', typ: 'at+jwt', kid: `unknown-${index}` };
      const encoded = Buffer.from(JSON.stringify(head)).toString('base64url');
      const forged = token.replace(/^[^.]+/, encoded);
      assert.equal(await codeOf(counting, forged), 'ACCESS_TOKEN_INVALID');
    }
    // A busy machine may take longer than 2 s for the ten.
    const spans = 1 + Math.floor((performance.now() - startedMs) / 2_000);
    assert.ok(statements >= 2 && statements <= 2 * spans, `${statements} looks in ${spans} spans`);
  });

  it('removed: the tokens it signed end within 5 s in every process', async () => {
    const token = await one.token(merchant);
    await rotate();
    deployment.clock.advance(PUBLISHED_AHEAD_MS);
    const kept = await one.token(merchant);
    for (const process of [one, two]) assert.equal(await codeOf(process, token), 'OK');
    await removeSigningKey(needs(), kidOf(token));
    deployment.clock.advance(4_900);
    for (const process of [one, two]) {
      assert.equal(await codeOf(process, token), 'ACCESS_TOKEN_INVALID');
      assert.equal(await codeOf(process, kept), 'OK');
      assert.equal(await codeOf(process, token), 'ACCESS_TOKEN_INVALID', 'with the keys in memory');
      assert.ok(!(await publishedBy(process)).includes(kidOf(token)));
    }
  });

  it('the one that signs is not removed, nor one that is not there, nor one twice', async () => {
    const signing = kidOf(await one.token(merchant));
    await assert.rejects(removeSigningKey(needs(), signing), /Put another in its place first/);
    await assert.rejects(removeSigningKey(needs(), 'nothing'), /no signing key "nothing"/);
    await rotate(true);
    await removeSigningKey(needs(), signing);
    await assert.rejects(removeSigningKey(needs(), signing), /removed already/);
  });

  it('are published until their tokens have expired, and no longer', async () => {
    deployment.clock.advance(2_000);
    const old = kidOf(await one.token(merchant));
    await rotate();
    deployment.clock.advance(PUBLISHED_AHEAD_MS + HOUR_MS);
    assert.ok((await publishedBy(one)).includes(old));
    deployment.clock.advance(61_000);
    assert.ok(!(await publishedBy(one)).includes(old));
  });

  it('leave a line in the audit log for each creation and removal', async () => {
    const rows = await deployment.database.sql<{ action: string; details: { keyId: string } }>(
      `SELECT action, details FROM audit_log WHERE action LIKE 'SIGNING_KEY_%'`,
    );
    const keys = await deployment.database.sql('SELECT FROM signing_keys');
    const removed = rows.filter(({ action }) => action === 'SIGNING_KEY_REMOVED');
    // The count is one above the stored keys: the first was deleted above.
    assert.equal(rows.length - removed.length, keys.length + 1);
    assert.equal(removed.length, 2);
  });
});
