export const SDK_VERSION = '1.0.0-rc.1';
