import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ArchivedFile, writeArchive } from './write-archive.ts';

export interface SdkPackage {
  readonly tarball: Buffer;
  /** The hash of its bytes. */
  readonly hash: string;
}

const MANIFEST = fileURLToPath(import.meta.resolve('@payment-requests/sdk/package.json'));
const FOLDER = dirname(MANIFEST);
const TEXTS = ['CHANGELOG.md', 'LICENSE', 'README.md'];

/** The file name of the tarball, as `npm pack` makes it. */
export function sdkFileName(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  return `payment-requests-sdk-${version}.tgz`;
}

/**
 * Packs the SDK beside this service in memory, as `npm pack` does it. The files are those of
 * version control (decision 0039): a production install has no compiler, and its folder may be
 * read-only.
 *
 * @param folder the SDK's; that of this service by default
 */
export async function packSdk(folder = FOLDER): Promise<SdkPackage> {
  const entries = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true });
  const built = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const manifest = publishedManifest(await readFile(join(folder, 'package.json'), 'utf8'));
  const files: ArchivedFile[] = [{ path: 'package/package.json', content: Buffer.from(manifest) }];
  for (const path of [...TEXTS, ...built].sort()) {
    files.push({ path: `package/${path}`, content: await readFile(join(folder, path)) });
  }
  const tarball = writeArchive(files);
  return { tarball, hash: createHash('sha256').update(tarball).digest('base64url') };
}

/** Applies `publishConfig`, as sdk/package-manifest.mjs does before `npm pack`. */
function publishedManifest(text: string): string {
  const { publishConfig, devDependencies: _, scripts: __, ...manifest } = JSON.parse(text);
  const { access, provenance, ...entries } = publishConfig;
  const published = { ...manifest, ...entries, publishConfig: { access, provenance } };
  return `${JSON.stringify(published, null, 2)}\n`;
}
