import { html } from 'ghtml';
import { copyField, copyStatus, type Fact, facts } from '#console/components/parts.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Visit } from '#console/shell/visit.ts';
import { CREDENTIAL_TEXTS } from './list-page.ts';

/** Secrets that the service keeps no copy of, and the file to keep them in. */
export type SecretsShown = ReturnType<typeof secretsOf>;

/** The scripts of a page with `showOnce`. */
export const COPY_SCRIPTS = ['copy-fields'] as const;

/** The credentials that a merchant has just got, with the addresses at which they count. */
export function secretsOf(
  { credentials, environment }: Pick<ConsoleDeps, 'credentials' | 'environment'>,
  { now }: Pick<Visit, 'now'>,
  { id, name }: { readonly id: string; readonly name: string },
  values: EnvValues,
) {
  const { publicApiUrl, publicAuthUrl } = credentials;
  return {
    /** The name under which a browser keeps the file. */
    fileName: `${environment}.env`,
    /** The first line of the file, for people. */
    comment: `${environment} credentials of ${name} (${id}), made at ${now.toISOString()}`,
    values: { BASE_URL: publicApiUrl, AUTH_URL: publicAuthUrl, ...values },
  };
}

/** Shows secrets with the file that keeps them. */
export function showOnce(visit: Visit, { fileName, comment, values }: SecretsShown): string {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const rows = Object.entries(values).map(
    ([name, value]): Fact => [
      name,
      value === null
        ? html`${text('unchanged')}`
        : copyField(visit, { id: name, label: name, value }),
    ],
  );
  const href = envHref(envFile(comment, values));
  return html`<div class="card secrets"><p class="notice warning">${text('once')}</p>!${facts(rows)}
<p class="actions"><a class="button" download="${fileName}" href="${href}">${text('download')}</a>
</p>!${copyStatus(visit)}</div>`;
}

/** The values that a merchant's program needs, under the names of the quick start. */
interface EnvValues {
  readonly [name: string]: string | null;
}

/** A file of `NAME=value` lines; values that are null are left out. */
export function envFile(comment: string, values: EnvValues): string {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  // No line break of a name or comment begins another line.
  return `${[`# ${comment.replace(/\s+/g, ' ')}`, ...lines].join('\n')}\n`;
}

/** The address of a file in a page: nothing is stored, and nothing is fetched again. */
function envHref(content: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(content)}`;
}
