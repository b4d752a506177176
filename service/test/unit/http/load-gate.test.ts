import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoadGate, type Permit } from '#http/overload/load-gate.ts';

/** A gate whose time moves only by hand. */
function openGate() {
  let nowMs = 0;
  const gate = new LoadGate({ steadyMs: () => nowMs });
  return {
    gate,
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

/** Takes every permit there is. */
function fill(gate: LoadGate, isReserved = false): Permit[] {
  const permits: Permit[] = [];
  for (let permit = gate.enter(isReserved); permit; permit = gate.enter(isReserved)) {
    permits.push(permit);
  }
  return permits;
}

/** Calls come as fast as they can, and so many of them end in each step of 10 ms. */
function overload({ gate, advance }: ReturnType<typeof openGate>, endsOfAStep: number) {
  const queue: Permit[] = [];
  for (let step = 0; step < 1_000; step += 1) {
    queue.push(...fill(gate));
    advance(10);
    for (const permit of queue.splice(0, endsOfAStep)) permit.release();
  }
  return gate.load().permits;
}

describe('the gate that sheds load', () => {
  it('lets a thousand calls in, and another when one is over', () => {
    const { gate } = openGate();
    const permits = fill(gate);
    assert.equal(permits.length, 1_000);
    assert.equal(gate.enter(false), null);
    permits[0]?.release();
    permits[0]?.release();
    assert.equal(gate.load().inFlight, 999);
    assert.ok(gate.enter(false));
    assert.equal(gate.enter(false), null);
  });

  it('keeps a quarter more for people', () => {
    const { gate } = openGate();
    fill(gate);
    assert.equal(fill(gate, true).length, 250);
    assert.equal(gate.enter(true), null);
  });

  it('keeps all permits where 20,000 calls a second end', () => {
    assert.equal(overload(openGate(), 200), 1_000);
  });

  it('shrinks to what is served in about a tenth of a second', () => {
    // 6,000 a second: 600 permits take 100 ms.
    const permits = overload(openGate(), 60);
    assert.ok(permits > 500 && permits < 720, `${permits} permits`);
  });

  it('never shrinks below what keeps the database busy', () => {
    const permits = overload(openGate(), 2);
    assert.ok(permits >= 400 && permits <= 484, `${permits} permits`);
  });

  it('shrinks while nothing ends at all, and grows back when all is well', () => {
    const { gate, advance } = openGate();
    const stuck = Array.from({ length: 600 }, () => gate.enter(false));
    for (let n = 0; n < 20; n += 1) {
      advance(100);
      gate.enter(true)?.release();
    }
    assert.ok(gate.load().permits < 600);
    assert.equal(gate.enter(false), null);
    for (const permit of stuck) permit?.release();
    for (let n = 0; n < 20; n += 1) {
      advance(100);
      gate.enter(false)?.release();
    }
    assert.equal(gate.load().permits, 1_000);
  });

  it('does not take a few slow calls for a queue', () => {
    const { gate, advance } = openGate();
    for (let n = 0; n < 300; n += 1) gate.enter(false);
    for (let n = 0; n < 50; n += 1) {
      advance(100);
      gate.enter(false)?.release();
    }
    assert.equal(gate.load().permits, 1_000);
  });

  it('gives the permit of a call to others while its body arrives', () => {
    const { gate } = openGate();
    const permits = fill(gate);
    permits[0]?.pause();
    const other = gate.enter(false);
    assert.ok(other);
    assert.equal(permits[0]?.resume(), false);
    other.release();
    assert.equal(permits[0]?.resume(), true);
    assert.equal(gate.enter(false), null);
    permits[0]?.release();
    permits[0]?.release();
    assert.equal(gate.load().inFlight, 999);
  });

  it('has nothing to give back for a call that ended while its body arrived', () => {
    const { gate } = openGate();
    const permit = gate.enter(false);
    permit?.pause();
    permit?.release();
    assert.equal(gate.load().inFlight, 0);
  });

  it('does not take the time that bodies need to arrive for work', () => {
    const { gate, advance } = openGate();
    const slow = Array.from({ length: 900 }, () => gate.enter(false));
    for (const permit of slow) permit?.pause();
    for (let n = 0; n < 50; n += 1) {
      advance(100);
      gate.enter(false)?.release();
    }
    assert.equal(gate.load().permits, 1_000);
  });
});
