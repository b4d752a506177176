import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Executor, Statement } from '#database/database.ts';
import { cutPage, decodeCursor, encodeCursor, TIME_PLACE } from '#lib/cursor.ts';
import { decodeTimelineCursor, encodeTimelineCursor } from '#payment-requests/timeline/position.ts';
import { DELIVERY_LIST } from '#webhooks/deliveries/delivery-list.ts';
import { decodeFeedCursor, encodeFeedCursor } from '#webhooks/feed/cursor.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const INSTANT = new Date('2026-03-01T12:34:56.789Z');
const FINGERPRINT = createHash('sha256').update('filters').digest();
const FILTERS = { endpointId: ID, status: ['PENDING' as const] };

/** Cursors that callers hold: each must lead to its place for ever. */
const HELD = {
  list: 'AUfiJ2dxmYmBAZypZQiVAYkKXayWd0u8zrMCCZqAVw',
  deliveries: 'AcZEzSub1bQ6AYkKXayWd0u8zrMCCZqAVw',
  feed: 'ATYl5RgfcT-s__________8AAAAAAAAAKg',
  timeline: 'MTc3MjM2ODQ5Njc4OS4zLjAwMDAwMDAwMDAwMDAwMDAwMDA3',
};

describe('a cursor that a caller holds', () => {
  it('leads to its place in the list of payment requests', () => {
    const place = { createdAt: INSTANT, id: ID };
    const bytes = decodeCursor(HELD.list, FINGERPRINT, TIME_PLACE.size);
    assert.deepEqual(TIME_PLACE.read(Buffer.from(bytes as Buffer)), place);
    assert.equal(encodeCursor(FINGERPRINT, TIME_PLACE.write(place)), HELD.list);
  });

  it('leads to its place in the list of deliveries', async () => {
    let found: readonly unknown[] = [];
    const db: Executor = {
      async query<Row>(_: Statement, values: readonly unknown[]) {
        found = values;
        return [{ id: ID }, { id: INSTANT }] as Row[];
      },
    };
    const query = { ...FILTERS, limit: 1, cursor: HELD.deliveries };
    const { nextCursor } = await DELIVERY_LIST.readPage(db, 'mer_1', query, []);
    assert.deepEqual(found, ['mer_1', 2, ID, ID]);
    assert.equal(nextCursor, HELD.deliveries);
  });

  it('leads to its place in the feed', () => {
    const place = { transactionId: '18446744073709551615', position: '42' };
    assert.deepEqual(decodeFeedCursor('mer_1', HELD.feed), place);
    assert.equal(encodeFeedCursor('mer_1', place), HELD.feed);
  });

  it('leads to its place in the timeline', () => {
    const place = { occurredAt: INSTANT, rank: 3, key: '00000000000000000007' };
    assert.deepEqual(decodeTimelineCursor(HELD.timeline), place);
    assert.equal(encodeTimelineCursor(place), HELD.timeline);
  });
});

describe('a cursor', () => {
  const place = Buffer.from('place');
  const cursor = encodeCursor(FINGERPRINT, place);
  const refusalOf = (text: string, bytes = place.length) => decodeCursor(text, FINGERPRINT, bytes);

  it('gives its place back', () => {
    assert.deepEqual(refusalOf(cursor), place);
  });

  it('is refused with other filters than its own', () => {
    const other = createHash('sha256').update('other filters').digest();
    assert.equal(decodeCursor(cursor, other, place.length), 'OTHER_FILTERS');
  });

  it('is refused in another layout', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    bytes[0] = 2;
    assert.equal(refusalOf(bytes.toString('base64url')), 'NOT_A_CURSOR');
  });

  it('is refused with another length, and when it is empty', () => {
    assert.equal(refusalOf(cursor, place.length + 1), 'NOT_A_CURSOR');
    assert.equal(refusalOf(cursor, place.length - 1), 'NOT_A_CURSOR');
    assert.equal(refusalOf('', 0), 'NOT_A_CURSOR');
  });

  it('is refused in another spelling of its bytes', () => {
    const spelt = [`${cursor}=`, ` ${cursor}`, `${cursor}!`, cursor.replaceAll('-', '+')];
    for (const text of spelt) {
      if (text !== cursor) assert.equal(refusalOf(text), 'NOT_A_CURSOR', text);
    }
    assert.equal(decodeTimelineCursor(`${HELD.timeline}=`), null);
  });
});

describe('a page', () => {
  const cursorOf = (last: number) => `after ${last}`;

  it('ends with a cursor when more rows were found than it holds', () => {
    assert.deepEqual(cutPage([1, 2, 3], 2, cursorOf), { data: [1, 2], nextCursor: 'after 2' });
  });

  it('has no cursor when it is the last', () => {
    assert.deepEqual(cutPage([1, 2], 2, cursorOf), { data: [1, 2], nextCursor: null });
    assert.deepEqual(cutPage([], 2, cursorOf), { data: [], nextCursor: null });
  });
});
