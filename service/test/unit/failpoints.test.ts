import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  CODE_PLACES,
  LONGER_TRANSACTIONS,
  OWN_TRANSACTIONS,
  PLACES,
} from '#lib/failpoints/places.ts';
import { faultsOfFailpoint } from '../../src/settings/faults-of-failpoint.ts';
import { APPROVAL } from '../support/failpoints/approval-journey.ts';
import { BANK_JOURNEYS, REFUND_FILE_JOURNEYS } from '../support/failpoints/bank-journeys.ts';
import { CALL_JOURNEYS } from '../support/failpoints/call-journeys.ts';
import { LOOP_JOURNEYS } from '../support/failpoints/loop-journeys.ts';
import { MESSAGE } from '../support/failpoints/message-journey.ts';
import { SFTP_JOURNEYS } from '../support/failpoints/sftp-journeys.ts';

const SOURCE = new URL('../../src/', import.meta.url);

/** The source without the table of places itself. */
const source = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('lib/failpoints/'))
  .map((path) => readFileSync(new URL(path, SOURCE), 'utf8'))
  .join('\n');

/** The place of a failpoint, without the number of its passage. */
const placeOf = (failpoint: string): string => failpoint.split(':')[0] ?? '';

const countOf = (text: string): number => source.split(text).length - 1;

describe('the table of failpoints', () => {
  for (const name of Object.keys({ ...OWN_TRANSACTIONS, ...LONGER_TRANSACTIONS })) {
    it(`names one statement of the service: ${name}`, () => {
      assert.equal(countOf(`'${name}',`), 1);
    });
  }

  for (const name of Object.keys(CODE_PLACES)) {
    it(`names one place of the code: ${name}`, () => {
      assert.equal(countOf(`passFailpoint('${name}')`), 1);
    });
  }

  it('has for each place a journey of which a process dies there', () => {
    const ofBanks = [...BANK_JOURNEYS, ...REFUND_FILE_JOURNEYS, ...SFTP_JOURNEYS];
    const journeys = [...CALL_JOURNEYS, ...LOOP_JOURNEYS, ...ofBanks, APPROVAL, MESSAGE];
    const dying = new Set(journeys.flatMap(({ failpoints }) => failpoints.map(placeOf)));
    assert.deepEqual([...dying].sort(), [...PLACES].sort());
  });

  it('names each place once', () => assert.equal(new Set(PLACES).size, PLACES.length));
});

describe('a failpoint that is set', () => {
  const FINE = { isRelease: false, nodeEnv: undefined, environment: 'sandbox' };
  it('is no fault in a sandbox of a checkout', () => {
    assert.deepEqual(faultsOfFailpoint('answer-ready', FINE), []);
  });

  it('is a fault in a release, and each reason is named', () => {
    const everything = { isRelease: true, nodeEnv: 'production', environment: 'production' };
    assert.deepEqual(faultsOfFailpoint('answer-ready', everything), [
      'FAILPOINT is set, which kills this process: it is for tests, and this is a release ' +
        'and NODE_ENV is production and ENVIRONMENT is production.',
    ]);
    assert.equal(faultsOfFailpoint('answer-ready', { ...FINE, isRelease: true }).length, 1);
    for (const [nodeEnv, faults] of [
      ['', 0],
      ['test', 0],
      ['development', 0],
      ['Production', 1],
      ['prod', 1],
    ] as const) {
      assert.equal(faultsOfFailpoint('answer-ready', { ...FINE, nodeEnv }).length, faults);
    }
    assert.deepEqual(faultsOfFailpoint('', everything), []);
  });
});
