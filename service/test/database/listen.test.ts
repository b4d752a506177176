import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase('sandbox');
});
after(() => database.drop());

/** Listens on a channel, and notes what is notified. */
function hear(channel: string) {
  const heard: (string | undefined)[] = [];
  const stop = database.db.listen(channel, (payload) => void heard.push(payload));
  const has = (...payloads: (string | undefined)[]) =>
    eventually(() => heard.length === payloads.length, `${channel}: ${payloads.length}`).then(() =>
      assert.deepEqual(heard, payloads),
    );
  return { stop, has };
}

const notify = (channel: string, payload: string) =>
  database.sql('SELECT pg_notify($1, $2)', [channel, payload]);
const listening = () =>
  database.sql(`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND (query LIKE 'LISTEN %' OR query = 'SELECT 1')`);

describe('a database that is listened to', () => {
  it('has one connection for all channels, until the last one is stopped', async () => {
    const [first, second] = [hear('first'), hear('second')];
    await Promise.all([first.has(undefined), second.has(undefined)]);
    // A channel that is added to an open connection.
    const third = hear('third');
    await third.has(undefined);
    await notify('second', 'one');
    await notify('third', 'two');
    await Promise.all([second.has(undefined, 'one'), third.has(undefined, 'two')]);

    const [connection, ...others] = await listening();
    assert.deepEqual(others, []);
    await database.sql('SELECT pg_terminate_backend($1)', [connection?.pid]);
    // Notifications may be lost meanwhile: each channel is told.
    await first.has(undefined, undefined);
    await second.has(undefined, 'one', undefined);
    await third.has(undefined, 'two', undefined);

    await first.stop();
    await notify('first', 'unheard');
    await notify('second', 'three');
    await second.has(undefined, 'one', undefined, 'three');
    await first.has(undefined, undefined);
    await Promise.all([second.stop(), third.stop()]);
    await eventually(async () => (await listening()).length === 0, 'the end of the connection');
    const again = hear('first');
    await again.has(undefined);
    await again.stop();
  });

  it('asks one statement at a time when many channels are added at once', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    const first = hear('first');
    await first.has(undefined);
    const others = ['a', 'b', 'c'].map(hear);
    for (const each of others) await each.has(undefined);
    for (const each of [first, ...others]) await each.stop();
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });
});
