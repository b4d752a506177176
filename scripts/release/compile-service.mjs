import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'es-module-lexer';

/** The project's own modules: relative, or by the service's `imports`. */
const OWN_TYPED_MODULE = /^(\.{1,2}\/|#).*\.ts$/;

/**
 * Copies a folder of modules, and makes each TypeScript file the JavaScript file that Node.js would
 * make of it. Lines and columns stay: types become spaces, and `.ts` of an import becomes `.js`.
 * @param {string} from @param {string} to
 */
export function compileModules(from, to) {
  for (const path of filesIn(from)) {
    const [source, target] = [join(from, path), join(to, path)];
    mkdirSync(dirname(target), { recursive: true });
    if (!path.endsWith('.ts')) cpSync(source, target);
    else writeFileSync(target.replace(/ts$/, 'js'), compileModule(readFileSync(source, 'utf8')));
  }
}

/** @param {string} source TypeScript with erasable types only @returns {string} JavaScript */
export function compileModule(source) {
  const code = stripTypeScriptTypes(source, { mode: 'strip' });
  const [imports] = parse(code);
  let compiled = '';
  let from = 0;
  for (const { specifier, start, end } of imports) {
    if (!OWN_TYPED_MODULE.test(specifier ?? '')) continue;
    // A dynamic import's text has its quotes.
    compiled += code.slice(from, start) + code.slice(start, end).replace(/ts(?=['"]?$)/, 'js');
    from = end;
  }
  return compiled + code.slice(from);
}

/** @param {string} folder @returns {string[]} paths in this folder, sorted */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}
