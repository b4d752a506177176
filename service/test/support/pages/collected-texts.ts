import { type Catalogue, compileTexts as compile } from '#http/pages/texts.ts';

export const collectedCatalogues: Catalogue<string>[] = [];

/** `compileTexts`, which also keeps the catalogue for a test. */
export function compileTexts<Key extends string>(
  catalogue: Catalogue<Key>,
): ReturnType<typeof compile<Key>> {
  collectedCatalogues.push(catalogue);
  return compile(catalogue);
}
