import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinModules } from '../release/join-modules.mjs';
import { linkPackages } from '../toolchain/link-packages.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

const MANIFESTS = ['package.json', 'service/package.json'];
const RUN_BATCH = join(ROOT, 'scripts', 'test', 'run-batch.mjs');

/**
 * Joins the modules of a run of many tests, and of the command line for the processes that they
 * start. Loading 1,200 modules took each of 350 processes 0.7 s of CPU; joined ones take 0.2 s.
 *
 * @param {readonly (readonly string[])[]} batches the files of each process, as paths from the
 *   project's folder
 * @param {string} folder of the run
 * @param {string} [commandLine] of the run that this run is inside of: joining one takes 3 s of CPU
 * @returns {Promise<{ tests: string[], commandLine: string }>} the programs, in the order of the
 *   batches
 */
export async function joinTests(batches, folder, commandLine) {
  const workspace = join(folder, 'service');
  mkdirSync(workspace);
  linkPackages(folder);
  const joined = join(workspace, 'joined');
  mkdirSync(joined);
  writeFileSync(join(joined, 'package.json'), '{ "type": "module" }');
  /** @type {Record<string, string>} */
  const programs = commandLine ? {} : { cli: join(ROOT, 'service', 'src', 'cli.ts') };
  const names = batches.map(([first = '', ...others], index) => {
    // node:test runs files in the order of their names.
    const number = `${index + 1}`.padStart(2, '0');
    const name = others.length > 0 ? `${number}.batch` : `${number}.${first.replaceAll('/', '.')}`;
    programs[name] =
      others.length > 0 ? writeBatch([first, ...others], join(folder, `${name}.mjs`)) : first;
    return name;
  });
  await joinModules({ root: ROOT, programs, folder: joined, notJoined: testPackages() });
  return {
    tests: names.map((name) => join(joined, `${name}.js`)),
    commandLine: commandLine ?? join(joined, 'cli.js'),
  };
}

/** Packages that only tests use: they read files of their own. */
function testPackages() {
  return MANIFESTS.flatMap((path) => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    return Object.keys(devDependencies);
  });
}

/** @param {readonly string[]} files @param {string} path @returns {string} the path */
function writeBatch(files, path) {
  const loads = files.map(
    (file) => `[${JSON.stringify(file)}, () => require('${join(ROOT, file)}')]`,
  );
  const text = `import { runBatch } from '${RUN_BATCH}';\nrunBatch([\n${loads.join(',\n')}\n]);\n`;
  writeFileSync(path, text);
  return path;
}
