import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/** `npm test` installs the first; it takes a third of the CPU of the second. */
const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const EXECUTABLE = EXECUTABLES.find((path) => existsSync(path));

/** It runs as root in a machine of its own, and must call nobody. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page on a machine with twelve times the work that it can do shows its news after half a minute. */
const PATIENCE_MS = 90_000;

/** The reason for skipping what needs a browser; false where there is one. */
export const WITHOUT_BROWSER: string | false =
  EXECUTABLE === undefined && 'there is no Chromium: apt-get install chromium-headless-shell';

/** Playwright ends it with this process: starting one takes 2 s of CPU, more than many a file. */
let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, as one of its own: the contexts are told apart, and `close` closes
 * those that were opened here.
 */
export async function startBrowser(): Promise<Browser> {
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined;
  shared ??= chromium.launch({ executablePath: EXECUTABLE ?? '', args: ARGUMENTS });
  const real = await shared;
  const contexts: BrowserContext[] = [];
  const newContext = async (options?: BrowserContextOptions) => {
    const context = await real.newContext(options);
    contexts.push(context);
    return context;
  };
  return Object.assign(Object.create(real) as Browser, {
    newContext,
    newPage: async (options?: BrowserContextOptions) => (await newContext(options)).newPage(),
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  });
}

/** A browser of its own, with all that it should not have done. */
export async function openVisitor(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-CA', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  context.on('weberror', (fault) => faults.push(String(fault.error())));
  context.on('console', (message) => {
    const isStatus = /the server responded with a status of/.test(message.text());
    if (message.type() === 'error' && !isStatus) faults.push(message.text());
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') faults.push(`request to ${url.origin}`);
  });
  return {
    page: await context.newPage(),
    newPage: () => context.newPage(),
    faults,
    close: () => context.close(),
  };
}

/** Opens the menu of the languages and chooses one, with the keyboard alone. */
export async function switchLanguage(page: Page, name: string): Promise<void> {
  const menu = page.locator('.languages');
  await menu.locator('summary').press('Enter');
  await menu.getByText(name, { exact: true }).press('Enter');
}

/** Signs in by a button of the simulation, which is folded until it is asked for. */
export async function signInAs(page: Page, button: string): Promise<void> {
  await page.locator('.simulation > summary').click();
  await page.getByRole('button', { name: button, exact: true }).click();
}

export interface Visitor {
  readonly page: Page;
  /** Another tab of the same browser. */
  newPage(): Promise<Page>;
  /** Errors of scripts and policies, and requests to other origins. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}
