import { readFile, stat } from 'node:fs/promises';
import { renderMarkdown } from '../markdown/render-markdown.ts';

const CHANGELOG = new URL('../../../../CHANGELOG.md', import.meta.url);
/** A version and, once it is released, its date. */
const HEADING = /^(\d\S*)(?:\D*(\d{4}-\d{2}-\d{2}))?/;

export interface ChangesOfVersion {
  readonly version: string;
  /** The date of its release; before it, when the file was last written. */
  readonly updated: Date;
  /** HTML. */
  readonly body: string;
}

/** The versions of CHANGELOG.md, the newest first; none where the file is not there. */
export async function readChangelog(): Promise<readonly ChangesOfVersion[]> {
  const text = await readFile(CHANGELOG, 'utf8').catch(() => '');
  if (text === '') return [];
  const { mtime } = await stat(CHANGELOG);
  return text.split(/^## /m).flatMap((section) => {
    const [, version, date] = HEADING.exec(section) ?? [];
    if (version === undefined) return [];
    const lines = section.slice(section.indexOf('\n'));
    const body = renderMarkdown(lines, { addressOf });
    return [{ version, updated: date === undefined ? mtime : new Date(date), body }];
  });
}

/** Guides have a page; other files of the project have none. */
function addressOf(href: string): string | null {
  if (href.startsWith('https:')) return href;
  const [, guide] = /^docs\/guides\/([^/]+)\.md(?=#|$)/.exec(href) ?? [];
  return guide === undefined ? null : `/docs/guides/${guide}`;
}
