import { fileURLToPath } from 'node:url';
import { renderPostmanCollection } from './postman-collection.ts';
import { renderPythonManifest } from './python-client/python-manifest.ts';
import { PYTHON_FILES, renderPythonFile } from './python-client/render-client.ts';
import { renderSchema } from './schema-document.ts';
import { renderSdkCodes } from './sdk-codes.ts';
import { renderSdkManifest } from './sdk-manifest.ts';
import { renderSdkTestingTables } from './sdk-testing-tables.ts';
import { renderStatesDocument } from './states-document.ts';

export interface GeneratedDocument {
  /** The path inside the project's folder. */
  readonly path: string;
  readonly file: string;
  readonly render: () => string | Promise<string>;
}

/** Made from the code: `npm run docs` writes them, a test says when one is stale. */
export const GENERATED_DOCUMENTS: readonly GeneratedDocument[] = [
  documentAt('docs/payment-request-states.md', renderStatesDocument),
  documentAt('docs/guides/payment-requests.postman_collection.json', renderPostmanCollection),
  documentAt('service/src/database/schema/schema.json', renderSchema),
  documentAt('sdk/src/errors/codes.ts', renderSdkCodes),
  documentAt('sdk/src/testing/tables.ts', renderSdkTestingTables),
  documentAt('sdk/package.json', renderSdkManifest),
  documentAt('clients/python/pyproject.toml', renderPythonManifest),
  ...Object.keys(PYTHON_FILES).map((name) =>
    documentAt(`clients/python/src/payment_requests/${name}`, () => renderPythonFile(name)),
  ),
];

function documentAt(path: string, render: GeneratedDocument['render']): GeneratedDocument {
  return { path, file: fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), render };
}
