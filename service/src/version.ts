import packageJson from '../package.json' with { type: 'json' };

const described: { version: string; release?: boolean } = packageJson;

/** This version of the service, as its package names it. */
export const SERVICE_VERSION: string = described.version;

/**
 * True in an installed release: `npm run release` writes `"release": true` into its package.
 * A checkout is no release, so switches for tests work there.
 */
export const IS_RELEASE: boolean = described.release === true;
