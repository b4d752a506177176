import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why tests in a browser are skipped, if they are. */
export const WITHOUT_BROWSER = existsSync(EXECUTABLE) ? false : `there is no ${EXECUTABLE}`;

/** @param more arguments for a test of its own */
export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: [...ARGUMENTS, ...more] });
}
