import packageJson from '../package.json' with { type: 'json' };

/** This version of the service, as its package names it. */
export const SERVICE_VERSION: string = packageJson.version;
