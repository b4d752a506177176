// Stands in for node:test in the process that tries mutants: the tests of the loaded files are
// collected, and run again for each mutant.

export interface CollectedTest {
  readonly name: string;
  readonly run: () => unknown;
}

export const COLLECTED: CollectedTest[] = [];

export function it(name: string, ...given: readonly unknown[]): void {
  COLLECTED.push({ name, run: given.at(-1) as () => unknown });
}

export function describe(_name: string, body: () => void): void {
  body();
}

function refuseHooks(): never {
  throw new Error('A test with hooks is none of the fast tests: list it among the slow ones.');
}

export {
  it as test,
  refuseHooks as after,
  refuseHooks as afterEach,
  refuseHooks as before,
  refuseHooks as beforeEach,
};
