import { html } from 'ghtml';
import { copyField, copyStatus } from '#console/components/copy-field.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { type EnvValues, envFile, envHref } from './env-file.ts';
import { CREDENTIAL_TEXTS } from './texts.ts';

export interface SecretsShown {
  /** The first line of the file, for people. */
  readonly comment: string;
  readonly values: EnvValues;
}

const FILE_NAMES = { sandbox: 'sandbox.env', production: 'production.env' } as const;

/** The name under which a browser keeps the file. */
export function envFileName(environment: keyof typeof FILE_NAMES): string {
  return FILE_NAMES[environment];
}

/** The scripts of a page with `showOnce`. */
export const COPY_SCRIPTS = ['copy-fields'] as const;

/** Secrets that the service keeps no copy of, with a file to keep them in. */
export function showOnce(
  visit: Visit,
  fileName: string,
  { comment, values }: SecretsShown,
): string {
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
