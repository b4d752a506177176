import { fileURLToPath } from 'node:url';
import { renderStatesDocument } from './states-document.ts';

export interface GeneratedDocument {
  /** From the project's folder. */
  readonly path: string;
  readonly file: string;
  readonly render: () => string;
}

/** Made from the code: `npm run docs` writes them, a test says when one is stale. */
export const GENERATED_DOCUMENTS: readonly GeneratedDocument[] = [
  documentAt('docs/payment-request-states.md', renderStatesDocument),
];

function documentAt(path: string, render: () => string): GeneratedDocument {
  return { path, file: fileURLToPath(new URL(`../../../${path}`, import.meta.url)), render };
}
