import { html } from 'ghtml';
import { Problem } from '#lib/problem.ts';
import { pageMarkdown } from '../markdown/page-markdown.ts';
import type { Overview } from '../pages/layout.ts';
import { makePage } from '../pages/make-page.ts';
import { type Findable, KINDS } from '../search.ts';
import { readChangelog } from './read-changelog.ts';

/** Each document of the machines by its address. */
export const renderers = {
  '/llms.txt': llmsText,
  '/llms-full.txt': wholeText,
  '/sitemap.xml': sitemap,
  '/changelog.atom': changelogFeed,
};

const originOf = ({ publicApiUrl }: Overview) => new URL(publicApiUrl).origin;

/** The documentation's title and what it is about, as Markdown. */
function headOf({ document: { info }, isSandbox }: Overview): string {
  const place = isSandbox ? 'This is the sandbox: no money moves.' : 'This is production.';
  return `# ${info.title}\n\n> ${info.summary} ${place}\n`;
}

/** A link to each page, with its first sentence, in the form of llmstxt.org. */
function llmsText(all: Overview): string {
  const origin = originOf(all);
  const line = ({ kind, title, address, text }: Findable) => {
    const [sentence = ''] = /^.*?(?:[.?!](?= |$)|$)/m.exec(text) ?? [];
    // A problem's page is JSON for programs.
    const page = kind === 'Problems' ? address : `${address}.md`;
    return `- [${title}](${origin}${page})${sentence && `: ${sentence}`}`;
  };
  const lists = KINDS.map((kind) => {
    const members = all.findable.filter((each) => each.kind === kind);
    return `## ${kind}\n\n${members.map(line).join('\n')}\n`;
  });
  const files = `## Files

- [OpenAPI document](${origin}/openapi.json)
- [Everything in one text](${origin}/llms-full.txt)
- [SDK for Node.js](${origin}/sdk.tgz)
- [Changes](${origin}/changelog.atom)
`;
  return [headOf(all), ...lists, files].join('\n');
}

/** All guides, calls and problems in one text. */
async function wholeText(all: Overview): Promise<string> {
  const pages: string[] = all.guides.map(({ markdown }) => markdown);
  for (const { id } of all.entries) pages.push(pageMarkdown(await makePage(all, id)));
  const problems = all.findable.filter(({ kind }) => kind === 'Problems');
  const lines = problems.map(({ title, place, text }) => `- \`${place}\`: ${title}. ${text}`);
  pages.push(`# Problems\n\n${lines.join('\n')}\n`);
  return [headOf(all), ...pages].join('\n---\n\n');
}

function sitemap(all: Overview): string {
  const own = ['/docs', '/docs/guides', '/problems'];
  const urls = [...own, ...all.findable.map(({ address }) => address)].map(
    (address) => html`<url><loc>${originOf(all)}${address}</loc></url>`,
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
!${urls.join('\n')}
</urlset>
`;
}

/** An entry for each version (RFC 4287), the newest first. */
async function changelogFeed(all: Overview): Promise<string> {
  const versions = await readChangelog();
  const [newest] = versions;
  if (!newest) throw new Problem('ROUTE_NOT_FOUND');
  const feed = `${originOf(all)}/changelog.atom`;
  const entries = versions.map(
    ({ version, updated, body }) => html`<entry><title>${version}</title>
<id>${feed}#${version}</id><updated>${updated.toISOString()}</updated>
<content type="html">${body}</content></entry>`,
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${originOf(all)}/">
<title>Changes of ${all.document.info.title}</title>
<id>${feed}</id><link rel="self" href="${feed}"/><updated>${newest.updated.toISOString()}</updated>
<author><name>${all.document.info.title}</name></author>
!${entries.join('\n')}
</feed>
`;
}
