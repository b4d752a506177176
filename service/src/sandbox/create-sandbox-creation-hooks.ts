import { type FieldFault, Problem, type ProblemCode } from '#lib/problem.ts';
import type { CreationHooks } from '#payment-requests/create/creation-hooks.ts';
import { findMisspelledName, planSimulation } from './outcomes.ts';
import { insertSteps } from './sandbox-step-store.ts';

/** The headers that go with a problem when it is real, so that a client's handling is tested. */
const HEADERS: Partial<Record<ProblemCode, Readonly<Record<string, string>>>> = {
  ACCESS_TOKEN_EXPIRED: {
    'www-authenticate':
      'Bearer realm="payment-requests", error="invalid_token", ' +
      'error_description="The access token expired"',
  },
  RATE_LIMITED: { 'retry-after': '1' },
  TEMPORARILY_UNAVAILABLE: { 'retry-after': '2' },
};

/** The sandbox's part of a creation: names that make outcomes happen (contract §8). */
export function createSandboxCreationHooks(): CreationHooks {
  return {
    check(payerName) {
      const simulation = planSimulation(payerName);
      if (simulation.kind === 'FAULT') return [nameFault(simulation.message)];
      if (simulation.kind !== 'PROBLEM') return [];
      if (simulation.code === 'VALIDATION_ERROR') {
        return [nameFault('createError:400 asked for this fault.')];
      }
      throw new Problem(simulation.code, { headers: HEADERS[simulation.code] ?? {} });
    },
    warningOf: warnOfName,
    isScheduled: (payerName) => planSimulation(payerName).kind === 'STEPS',
    async schedule(tx, { id, payerName }) {
      const simulation = planSimulation(payerName);
      if (simulation.kind === 'STEPS') await insertSteps(tx, id, simulation.steps);
    },
  };
}

/**
 * Warns of a payer's name that nearly drives the simulator; null: no warning. The text is ASCII
 * without the payer's name, as it is a header of the answer, too.
 */
export function warnOfName(payerName: string): string | null {
  const name = findMisspelledName(payerName);
  return (
    name &&
    `payer.name differs from ${name} only by case or spaces, so nothing is simulated. ` +
      `Write ${name}.`
  );
}

function nameFault(message: string): FieldFault {
  return { field: 'payer.name', code: 'INVALID_VALUE', message };
}
