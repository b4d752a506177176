/** The library keeps the active mutant and the coverage under this name of `globalThis`. */
interface Switches {
  activeMutant: string | undefined;
  mutantCoverage?: { readonly static: Record<string, number> };
}

export const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__';

export function switches(): Switches {
  const all = globalThis as { __stryker__?: Switches };
  all.__stryker__ ??= { activeMutant: undefined };
  return all.__stryker__;
}

/** How often each mutant's place was run so far, by the mutant. */
export function coverage(): Record<string, number> {
  return { ...switches().mutantCoverage?.static };
}
