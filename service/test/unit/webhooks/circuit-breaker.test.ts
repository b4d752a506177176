import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DELIVERY_OUTCOMES, type DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import {
  afterAttempt,
  blameOf,
  CLOSED,
  changeOf,
  type DestinationAttempt,
  type DestinationState,
  originAfter,
  urlAfter,
} from '#webhooks/sending/circuit-breaker.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAYS = 86_400;

function ended(
  outcome: DeliveryOutcome,
  rest: Partial<DestinationAttempt> = {},
): DestinationAttempt {
  return {
    outcome,
    httpStatus: outcome === 'REFUSED_BY_LISTENER' ? 500 : null,
    retryAfterSeconds: null,
    isSerialised: false,
    isProbe: false,
    ...rest,
  };
}

const refused = ended('REFUSED_BY_LISTENER');
const probed = { ...refused, isSerialised: true, isProbe: true };

function after(
  attempts: readonly DestinationAttempt[],
  from = CLOSED,
  now = NOW,
): DestinationState {
  return attempts.reduce((state, attempt) => afterAttempt(state, attempt, now), from);
}

const open = after(Array(10).fill(refused));

describe('a destination', () => {
  it('is only probed from the tenth failure in a row on', () => {
    const nine = after(Array(9).fill(refused));
    assert.equal(nine.openedAt, null);
    assert.equal(nine.failures, 9);
    assert.deepEqual(open, {
      failures: 10,
      isTimingOut: false,
      openedAt: NOW,
      probes: 0,
      nextProbeAt: inSeconds(60),
      serialisedUntil: null,
    });
  });

  it('begins to count anew with every success', () => {
    const attempts = [...Array(9).fill(refused), ended('SUCCEEDED'), ...Array(9).fill(refused)];
    assert.equal(after(attempts).openedAt, null);
    assert.deepEqual(after([...attempts, ended('SUCCEEDED')]), CLOSED);
  });

  it('is well again with one success, whoever made it', () => {
    assert.deepEqual(afterAttempt(open, ended('SUCCEEDED'), NOW), CLOSED);
    const success = ended('SUCCEEDED', { isSerialised: true, isProbe: true });
    assert.deepEqual(afterAttempt(open, success, NOW), CLOSED);
  });

  it('is probed after a minute, then half as often each time, down to once an hour', () => {
    const waits: number[] = [];
    let [state, now] = [open, NOW];
    for (let probe = 0; probe < 9; probe += 1) {
      waits.push(((state.nextProbeAt?.getTime() ?? Number.NaN) - now.getTime()) / 1000);
      now = state.nextProbeAt ?? now;
      state = afterAttempt(state, probed, now);
    }
    assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    assert.equal(state.openedAt, NOW);
  });

  it('is probed no sooner for what was under way when the others failed', () => {
    const late = afterAttempt(open, refused, inSeconds(5));
    assert.deepEqual(late.nextProbeAt, open.nextProbeAt);
    assert.equal(late.probes, 0);
  });

  it('is probed later where it asks for that, never sooner', () => {
    const asking = (retryAfterSeconds: number) => ({ ...refused, retryAfterSeconds });
    const opened = (seconds: number) => after([...Array(9).fill(refused), asking(seconds)]);
    assert.deepEqual(opened(600).nextProbeAt, inSeconds(600));
    assert.deepEqual(opened(1).nextProbeAt, inSeconds(60));
    assert.deepEqual(afterAttempt(open, asking(600), NOW).nextProbeAt, inSeconds(600));
    const probe = { ...probed, retryAfterSeconds: 3_600 };
    assert.deepEqual(afterAttempt(open, probe, NOW).nextProbeAt, inSeconds(3_600));
  });

  it('is sent one at a time after a time-out, until it answers anything', () => {
    for (const outcome of ['TIMED_OUT', 'CONNECT_TIMED_OUT', 'NAME_TIMED_OUT'] as const) {
      assert.equal(after([ended(outcome)]).isTimingOut, true, outcome);
    }
    assert.equal(after([ended('TIMED_OUT', { httpStatus: 200 })]).isTimingOut, true);
    for (const outcome of ['CONNECTION_REFUSED', 'CONNECTION_LOST', 'TLS_FAILED'] as const) {
      assert.equal(after([ended(outcome)]).isTimingOut, false, outcome);
      assert.equal(after([ended('TIMED_OUT'), ended(outcome)]).isTimingOut, true, outcome);
    }
    assert.equal(after([ended('TIMED_OUT'), refused]).isTimingOut, false);
    assert.equal(after([ended('TIMED_OUT'), ended('SUCCEEDED')]).isTimingOut, false);
  });

  it('may be sent the next when the one that it had alone is over', () => {
    const sending = { ...open, serialisedUntil: inSeconds(45) };
    assert.deepEqual(afterAttempt(sending, refused, NOW).serialisedUntil, inSeconds(45));
    assert.equal(afterAttempt(sending, probed, NOW).serialisedUntil, null);
  });
});

describe('the notices about a destination', () => {
  it('is when it begins to be probed, and when it answers again', () => {
    const nine = after(Array(9).fill(refused));
    assert.equal(changeOf(CLOSED, nine, NOW), null);
    assert.equal(changeOf(nine, open, NOW), 'FAILING');
    assert.equal(changeOf(open, afterAttempt(open, probed, NOW), NOW), null);
    assert.equal(changeOf(open, CLOSED, NOW), 'WELL');
    assert.equal(changeOf(nine, CLOSED, NOW), null);
  });

  it('is that it is given up, by a probe that failed five days later', () => {
    const late = inSeconds(5 * DAYS);
    assert.equal(changeOf(open, afterAttempt(open, probed, late), late), 'GIVEN_UP');
    const early = inSeconds(5 * DAYS - 1);
    assert.equal(changeOf(open, afterAttempt(open, probed, early), early), null);
    assert.equal(changeOf(open, afterAttempt(open, refused, late), late), null);
  });
});

describe('an attempt without an endpoint', () => {
  const OF_URL = ['REDIRECTED', 'REFUSED_BY_LISTENER', 'MALFORMED_ANSWER', 'ANSWER_TOO_LARGE'];
  const OF_NOBODY = ['SUCCEEDED', 'GONE'];
  const outcomes = Object.keys(DELIVERY_OUTCOMES) as DeliveryOutcome[];
  const nine = after(Array(9).fill(refused));
  const probedAt = (state: DestinationState) => state.nextProbeAt;

  for (const outcome of outcomes) {
    const blame = OF_URL.includes(outcome)
      ? 'URL'
      : OF_NOBODY.includes(outcome)
        ? 'NOBODY'
        : 'ORIGIN';
    it(`that ends as ${outcome} counts for ${blame}`, () => {
      const attempt = ended(outcome);
      assert.equal(blameOf(attempt), blame);
      const origin = originAfter(nine, attempt, NOW);
      assert.deepEqual(origin, blame === 'ORIGIN' ? after([attempt], nine) : CLOSED);
      const url = urlAfter(nine, attempt, NOW);
      const kept = outcome === 'SUCCEEDED' ? CLOSED : nine;
      assert.deepEqual(url, blame === 'URL' ? after([attempt], nine) : kept);
      assert.equal(url.isTimingOut, false);
    });
  }

  it('counts for its URL where the connection ended after a status', () => {
    assert.equal(blameOf(ended('CONNECTION_LOST', { httpStatus: 200 })), 'URL');
    assert.equal(blameOf(ended('TIMED_OUT', { httpStatus: 200 })), 'ORIGIN');
  });

  it('lets a failing URL wait a minute where its probe found the origin down', () => {
    const due = inSeconds(60);
    const down = ended('CONNECTION_REFUSED', { isSerialised: true, isProbe: true });
    const sending = { ...open, serialisedUntil: inSeconds(100) };
    const state = urlAfter(sending, down, due);
    assert.deepEqual(probedAt(state), inSeconds(120));
    assert.deepEqual([state.probes, state.failures, state.serialisedUntil], [0, 10, null]);
  });

  it('lets a failing URL be probed again at once after a 410, and is no success', () => {
    const gone = ended('GONE', { httpStatus: 410, isSerialised: true, isProbe: true });
    const state = urlAfter({ ...open, serialisedUntil: inSeconds(100) }, gone, inSeconds(60));
    assert.deepEqual(state, open);
  });

  it('keeps a URL that is well without a probe where its probe found the origin down', () => {
    const down = ended('CONNECTION_REFUSED', { isSerialised: true, isProbe: true });
    assert.equal(urlAfter(CLOSED, down, NOW).nextProbeAt, null);
  });
});
