import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agreedLeader, leaderOf, type Member, newestView } from './patroni-api.ts';

const LEADER: Member = { name: 'db1', role: 'leader', state: 'running', timeline: 2 };
const STANDBY: Member = { name: 'db2', role: 'sync_standby', state: 'streaming', timeline: 2 };
const REPLICA: Member = { name: 'db3', role: 'replica', state: 'running', timeline: 2 };

describe('a cluster in good order', () => {
  it('has a leader, a synchronous standby, and three machines on one timeline', () => {
    assert.equal(leaderOf([REPLICA, STANDBY, LEADER]), LEADER);
  });

  for (const [fault, members] of [
    ['nothing answers', null],
    ['a machine is missing', [LEADER, STANDBY]],
    ['nothing leads', [{ ...LEADER, role: 'replica' }, STANDBY, REPLICA]],
    ['no standby is synchronous', [LEADER, { ...STANDBY, role: 'replica' }, REPLICA]],
    ['a machine starts', [LEADER, STANDBY, { ...REPLICA, state: 'starting' }]],
    ['a machine is on an old timeline', [LEADER, STANDBY, { ...REPLICA, timeline: 1 }]],
  ] as const) {
    it(`is not there when ${fault}`, () => assert.equal(leaderOf(members), null));
  }
});

describe('the views of three machines', () => {
  const before = [LEADER, STANDBY, REPLICA];
  const after = before.map((member): Member => ({ ...member, timeline: 3 }));

  it('agree on the leader when each tells the same one', () => {
    assert.equal(agreedLeader([before, before, before]), LEADER);
  });

  it('do not agree while a machine tells an old timeline, or does not answer', () => {
    assert.equal(agreedLeader([after, before, after]), null);
    assert.equal(agreedLeader([before, null, before]), null);
    assert.equal(agreedLeader([null, null, null]), null);
  });

  it('count by the highest timeline of a leader', () => {
    assert.equal(newestView([before, after, null]), after);
    assert.equal(newestView([null, null, null]), null);
    assert.equal(newestView([[STANDBY], null, null]), null);
  });
});
