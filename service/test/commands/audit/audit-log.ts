import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach } from 'node:test';
import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

export const YEAR_MS = 366 * 86_400_000;
export const secretsKey = { current: randomBytes(32), previous: null };

/** Gives each test of a suite an empty audit log in a database of its own. */
export function useAuditLog() {
  let template: TestDatabase;
  let database: TestDatabase;
  before(async () => {
    template = await createTestDatabase('sandbox');
  });
  after(() => template.drop());
  beforeEach(async () => {
    database = await template.clone();
  });
  afterEach(() => database.drop());

  const needs = (clock: Clock = systemClock) => ({
    db: database.db,
    clock,
    secretsKey,
    actor: 'payreq (ada)',
  });
  const verify = (options = {}) => verifyAuditLog({ db: database.db, secretsKey, ...options });
  const write = (note: string, occurredAt = systemClock.now(), merchantId: string | null = null) =>
    insertAuditEntry(database.db, {
      actor: 'payreq (ada)',
      action: 'OPERATOR_CASE_CLOSED',
      merchantId,
      details: { note },
      occurredAt,
    });
  async function writeFive() {
    for (const note of ['a', 'b', 'c', 'd', 'é "quoted", 5:x']) await write(note);
  }
  /** Acts with the rights of a superuser, who switches the triggers off. */
  const tamper = (text: string) =>
    database.sql(`SET LOCAL session_replication_role = replica; ${text}`);
  async function assertFaults(faults: readonly RegExp[], options = {}): Promise<void> {
    const found = await verify(options);
    assert.equal(found.faults.length, faults.length, found.faults.join('\n'));
    for (const [index, fault] of faults.entries()) assert.match(found.faults[index] ?? '', fault);
  }

  return {
    database: () => database,
    needs,
    verify,
    write,
    writeFive,
    tamper,
    assertFaults,
  };
}
