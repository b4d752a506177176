import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../../', import.meta.url);
/** The one file that a releaser fills (docs/operations/release.md). */
const PUBLISHER = new URL('scripts/release/publisher.json', ROOT);

/** The manifest of the SDK, with the addresses of its publisher. */
export function renderSdkManifest(): string {
  const { repository, homepage, bugs } = JSON.parse(readFileSync(PUBLISHER, 'utf8'));
  const file = fileURLToPath(new URL('sdk/package.json', ROOT));
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.homepage = homepage;
  manifest.repository = { type: 'git', url: `git+${repository}.git`, directory: 'sdk' };
  manifest.bugs = { url: bugs };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
