import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { LANGUAGES, LOCALES } from '#http/negotiation/choose-language.ts';
import { collectCatalogues } from '../support/pages/collect-catalogues.ts';
import { collectedCatalogues } from '../support/pages/collected-texts.ts';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

describe('the texts of all pages', () => {
  const files = filesWithCatalogues();
  before(async () => {
    collectCatalogues();
    for (const file of files) await import(`#${file}`);
  });

  it('are well-formed messages', () => {
    const found = collectedCatalogues.length;
    assert.ok(files.length > 40 && found >= files.length, `${found} of ${files.length}`);
    for (const catalogue of collectedCatalogues) {
      for (const language of LANGUAGES) {
        for (const [key, message] of Object.entries(catalogue[language])) {
          const parse = () => new IntlMessageFormat(message, LOCALES[language]);
          assert.doesNotThrow(parse, `${language} ${key}: ${message}`);
        }
      }
    }
  });
});

/** Paths below `service/src`. */
function filesWithCatalogues(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && / = compileTexts\(/.test(readFileSync(SOURCE + path, 'utf8')),
  );
}
