/** The facts that tell a process of a test from a process that serves merchants. */
export interface FailpointFacts {
  readonly isRelease: boolean;
  readonly nodeEnv: string | undefined;
  readonly environment: string | undefined;
}

/** Any other value may be a spelling of production. */
const TEST_ENVS: ReadonlySet<string> = new Set(['', 'test', 'development']);

/**
 * A failpoint kills its process: the setting is for a sandbox of a checkout (decision 0058). The
 * text is not read before: elsewhere the list of places, as the answer to an unknown one, misleads.
 */
export function faultsOfFailpoint(
  failpoint: string,
  { isRelease, nodeEnv, environment }: FailpointFacts,
): string[] {
  if (failpoint === '') return [];
  const reasons = [
    isRelease && 'this is a release',
    !TEST_ENVS.has(nodeEnv ?? '') && `NODE_ENV is ${nodeEnv}`,
    environment === 'production' && 'ENVIRONMENT is production',
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) return [];
  return [
    `FAILPOINT is set, which kills this process: it is for tests, and ${reasons.join(' and ')}.`,
  ];
}
