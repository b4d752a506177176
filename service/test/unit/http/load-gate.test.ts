import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLoadGate, type LoadGate, type Place } from '#http/overload/load-gate.ts';

/** A gate whose time moves only by hand. */
function openGate() {
  let nowMs = 0;
  const gate = createLoadGate({ steadyMs: () => nowMs });
  return {
    gate,
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

/** Takes every place there is. */
function fill(gate: LoadGate, isReserved = false): Place[] {
  const places: Place[] = [];
  for (let place = gate.enter(isReserved); place; place = gate.enter(isReserved)) {
    places.push(place);
  }
  return places;
}

/** Calls come as fast as they can, and so many of them end in each step of 10 ms. */
function overload({ gate, advance }: ReturnType<typeof openGate>, endsOfAStep: number) {
  const queue: Place[] = [];
  for (let step = 0; step < 1_000; step += 1) {
    queue.push(...fill(gate));
    advance(10);
    for (const place of queue.splice(0, endsOfAStep)) place.leave();
  }
  return gate.load().places;
}

describe('the gate that sheds load', () => {
  it('lets a thousand calls in, and another when one is over', () => {
    const { gate } = openGate();
    const places = fill(gate);
    assert.equal(places.length, 1_000);
    assert.equal(gate.enter(false), null);
    places[0]?.leave();
    places[0]?.leave();
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

  it('keeps all places where 20,000 calls a second end', () => {
    assert.equal(overload(openGate(), 200), 1_000);
  });

  it('shrinks to what is served in about a tenth of a second', () => {
    // 6,000 a second: 600 places take 100 ms.
    const places = overload(openGate(), 60);
    assert.ok(places > 500 && places < 720, `${places} places`);
  });

  it('never shrinks below what keeps the database busy', () => {
    const places = overload(openGate(), 2);
    assert.ok(places >= 400 && places <= 484, `${places} places`);
  });

  it('shrinks while nothing ends at all, and grows back when all is well', () => {
    const { gate, advance } = openGate();
    const stuck = Array.from({ length: 600 }, () => gate.enter(false));
    for (let n = 0; n < 20; n += 1) {
      advance(100);
      gate.enter(true)?.leave();
    }
    assert.ok(gate.load().places < 600);
    assert.equal(gate.enter(false), null);
    for (const place of stuck) place?.leave();
    for (let n = 0; n < 20; n += 1) {
      advance(100);
      gate.enter(false)?.leave();
    }
    assert.equal(gate.load().places, 1_000);
  });

  it('does not take a few slow calls for a queue', () => {
    const { gate, advance } = openGate();
    for (let n = 0; n < 300; n += 1) gate.enter(false);
    for (let n = 0; n < 50; n += 1) {
      advance(100);
      gate.enter(false)?.leave();
    }
    assert.equal(gate.load().places, 1_000);
  });

  it('gives the place of a call to others while its body arrives', () => {
    const { gate } = openGate();
    const places = fill(gate);
    places[0]?.pause();
    const other = gate.enter(false);
    assert.ok(other);
    assert.equal(places[0]?.resume(), false);
    other.leave();
    assert.equal(places[0]?.resume(), true);
    assert.equal(gate.enter(false), null);
    places[0]?.leave();
    places[0]?.leave();
    assert.equal(gate.load().inFlight, 999);
  });

  it('has nothing to give back for a call that ended while its body arrived', () => {
    const { gate } = openGate();
    const place = gate.enter(false);
    place?.pause();
    place?.leave();
    assert.equal(gate.load().inFlight, 0);
  });

  it('does not take the time that bodies need to arrive for work', () => {
    const { gate, advance } = openGate();
    const slow = Array.from({ length: 900 }, () => gate.enter(false));
    for (const place of slow) place?.pause();
    for (let n = 0; n < 50; n += 1) {
      advance(100);
      gate.enter(false)?.leave();
    }
    assert.equal(gate.load().places, 1_000);
  });
});
