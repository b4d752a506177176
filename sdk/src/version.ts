/** The version of this package; a test compares it with package.json. */
export const SDK_VERSION = '1.0.0-rc.1';
