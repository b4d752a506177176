const { findFreePort } = await import(
  new URL('../../../scripts/state/ports.mjs', import.meta.url).href
);

/**
 * The first of `inRow` ports of 127.0.0.1 in a row that nothing listens on. No other process that
 * asks finds the same, and no connection gets it.
 */
export const freePort: (inRow?: number) => Promise<number> = findFreePort;
