import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { runCommand } from '../lib/run-command.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { readManifest } from './build-release.mjs';

/** git answers from its own files. */
const GIT_MS = 30_000;
/** The one file with the addresses that packages name. */
const PUBLISHER = 'scripts/release/publisher.json';
const PYTHON = 'clients/python/pyproject.toml';
/** RFC 2606 reserves these names for examples. */
const RESERVED = /(^|\.)(example(\.(com|net|org))?|invalid|test|localhost)$/;

/**
 * Refuses a release that cannot be made again: files outside version control, or a version that
 * packages or tags contradict. A release without notes in CHANGELOG.md, or without its publisher's
 * addresses, is refused, too.
 * @returns {Promise<{ version: string, changes: string }>} changes: the version's section
 */
export async function checkRelease() {
  const { version, workspaces } = readManifest('.');
  for (const workspace of workspaces) {
    const other = readManifest(workspace).version;
    if (other === version) continue;
    throw new Failure(
      `${workspace}/package.json has version ${other}, and package.json has ${version}: ` +
        'a release has one version.',
    );
  }
  await checkTree();
  await checkTags(`v${version}`);
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const changes = changelogSection(changelog, version);
  const publisher = JSON.parse(readFileSync(join(ROOT, PUBLISHER), 'utf8'));
  const pyproject = readFileSync(join(ROOT, PYTHON), 'utf8');
  checkPublisher(publisher, readManifest('sdk'), pyproject);
  return { version, changes };
}

/** The time of the commit, which every build of it has. @returns {Promise<string>} ISO 8601, UTC */
export async function commitTime() {
  return new Date(1_000 * Number(await git('log', '-1', '--format=%ct'))).toISOString();
}

/**
 * Refuses packages that lead nowhere.
 * @param {Record<string, string>} publisher
 * @param {{ homepage: string, repository: { url: string }, bugs: { url: string } }} sdk
 * @param {string} pyproject the manifest of the Python client
 */
export function checkPublisher(publisher, { homepage, repository, bugs }, pyproject) {
  for (const name of ['repository', 'homepage', 'bugs']) {
    const { hostname } = new URL(publisher[name] ?? '', 'https://placeholder.invalid');
    if (!RESERVED.test(hostname)) continue;
    throw new Failure(
      `${PUBLISHER} has a placeholder in ${name}: give the addresses of your project, run ` +
        '`npm run docs`, and commit.',
    );
  }
  const source = repository.url.replace(/^git\+|\.git$/g, '');
  const addresses = {
    homepage: ['Homepage', homepage],
    repository: ['Repository', source],
    bugs: ['Issues', bugs.url],
  };
  for (const [name, [label, inSdk]] of Object.entries(addresses)) {
    const [, inPython] = pyproject.match(new RegExp(`^${label} = "(.*)"$`, 'm')) ?? [];
    const wrong = inSdk !== publisher[name] ? 'sdk/package.json' : PYTHON;
    if (inSdk === publisher[name] && inPython === publisher[name]) continue;
    throw new Failure(`${wrong} has another ${name} than ${PUBLISHER}: run \`npm run docs\`.`);
  }
}

async function checkTree() {
  const changed = (await git('status', '--porcelain')).split('\n').filter(Boolean);
  if (changed.length === 0) return;
  const named = changed.slice(0, 5).map((line) => line.slice(3));
  throw new Failure(
    `A release is made from a commit, and these files differ from it: ${named.join(', ')}` +
      `${changed.length > named.length ? ` and ${changed.length - named.length} more` : ''}. ` +
      'Commit the files or remove them.',
  );
}

/** @param {string} tag the tag of this version */
async function checkTags(tag) {
  const here = (await git('tag', '--points-at', 'HEAD', '--list', 'v*'))
    .split('\n')
    .filter(Boolean);
  const other = here.find((name) => name !== tag);
  if (other) {
    throw new Failure(
      `This commit has the tag ${other}, and package.json says ${tag.slice(1)}: ` +
        'change the version or remove the tag.',
    );
  }
  const isElsewhere = here.length === 0 && (await git('tag', '--list', tag)).trim() === tag;
  if (!isElsewhere) return;
  throw new Failure(
    `The tag ${tag} is at another commit: that version is released. ` +
      'Raise the version in every package.json.',
  );
}

/**
 * The section under `## X.Y.Z` up to the next heading of that rank. A date may follow the version.
 * @param {string} changelog @param {string} version
 */
export function changelogSection(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (section === undefined) {
    throw new Failure(
      `CHANGELOG.md has no section "## ${version}": ` +
        'say there what this version changes for those who upgrade.',
    );
  }
  if (section.split('\n').slice(1).join('').trim() !== '') return `## ${section.trimEnd()}\n`;
  throw new Failure(`The section "## ${version}" of CHANGELOG.md is empty.`);
}

/** @param {readonly string[]} args @returns {Promise<string>} what git printed */
async function git(...args) {
  const signal = new AbortController().signal;
  const options = { signal, timeoutMs: GIT_MS, cwd: ROOT };
  const { exitCode, stdout, stderr } = await runCommand('git', args, options);
  if (exitCode === 0) return stdout;
  throw new Failure(`git ${args[0]} failed: ${stderr.trim().split('\n')[0]}.`);
}
