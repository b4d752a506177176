import { registerHooks } from 'node:module';

/** The module that stands in for the texts of pages, below. */
const COLLECTOR = new URL('collected-texts.ts', import.meta.url).href;
const TEXTS = import.meta.resolve('#http/pages/texts.ts');

/** Lets each module that is loaded from now on give its catalogues to `collectedCatalogues`. */
export function collectCatalogues(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const isCollected = found.url === TEXTS && context.parentURL !== COLLECTOR;
      return isCollected ? next(COLLECTOR, context) : found;
    },
  });
}
