import { readFile } from 'node:fs/promises';

/** docs/guides of the project's folder, in which the service runs. */
const GUIDES = new URL('../../../../docs/guides/', import.meta.url);

/** A named code block of a guide: its fence says ```` ```js name=receive.js ````. */
export interface GuideSnippet {
  readonly name: string;
  readonly code: string;
}

/** A parser of Markdown would write spaces for the tabs of Go. */
const BLOCK = /^```\w+ name=(\S+)\n([\s\S]*?)\n```$/gm;

/** The named code blocks of a guide, in its order; none where the guide is not there. */
export async function readGuideSnippets(guide: string): Promise<readonly GuideSnippet[]> {
  const text = await readFile(new URL(guide, GUIDES), 'utf8').catch(() => '');
  return [...text.matchAll(BLOCK)].map(([, name = '', code = '']) => ({ name, code }));
}
