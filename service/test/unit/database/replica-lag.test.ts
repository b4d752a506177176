import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReplicaLag } from '#database/replica/replica-lag.ts';

describe('the lag of a replica', () => {
  it('is not known before a comparison', () => {
    assert.equal(new ReplicaLag(10_000).at(0), Number.POSITIVE_INFINITY);
  });

  it('is the time since the primary was at the place that the replica has replayed', () => {
    const lag = new ReplicaLag(10_000);
    lag.sawPrimary(100, 1_000);
    lag.sawPrimary(200, 2_000);
    lag.sawReplica(150);
    assert.equal(lag.at(2_500), 1_500);
    lag.sawReplica(200);
    assert.equal(lag.at(2_500), 500);
  });

  it('grows while nothing is compared', () => {
    const lag = new ReplicaLag(10_000);
    lag.sawPrimary(100, 0);
    lag.sawReplica(100);
    assert.equal(lag.at(9_000), 9_000);
  });

  it('stays small for an idle primary', () => {
    const lag = new ReplicaLag(10_000);
    for (const atMs of [0, 500, 1_000]) {
      lag.sawPrimary(100, atMs);
      lag.sawReplica(100);
    }
    assert.equal(lag.at(1_100), 100);
  });

  it('grows when an older replica takes its place', () => {
    const lag = new ReplicaLag(10_000);
    lag.sawPrimary(100, 0);
    lag.sawPrimary(200, 1_000);
    lag.sawReplica(200);
    lag.sawReplica(100);
    assert.equal(lag.at(1_000), 1_000);
  });

  it('forgets samples that are too old to matter', () => {
    const lag = new ReplicaLag(10_000);
    lag.sawPrimary(100, 0);
    lag.sawPrimary(200, 11_000);
    lag.sawReplica(150);
    assert.equal(lag.at(11_000), Number.POSITIVE_INFINITY);
  });

  it('is not known after it was forgotten', () => {
    const lag = new ReplicaLag(10_000);
    lag.sawPrimary(100, 0);
    lag.sawReplica(100);
    lag.forget();
    assert.equal(lag.at(1), Number.POSITIVE_INFINITY);
  });
});
