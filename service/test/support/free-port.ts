const PORTS = new URL('../../../scripts/state/ports.mjs', import.meta.url).href;

/**
 * The first of `inRow` ports of 127.0.0.1 in a row that nothing listens on. No other process that
 * asks finds the same, and no connection gets it.
 */
export async function freePort(inRow = 1): Promise<number> {
  // Files of tests are loaded without waits at their top level.
  const { findFreePort } = await import(PORTS);
  return findFreePort(inRow);
}
