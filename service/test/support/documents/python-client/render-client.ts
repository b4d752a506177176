import { readFileSync } from 'node:fs';
import { type OpenApi, readOpenApi } from '../openapi-document.ts';
import { HEAD } from './python-text.ts';
import { renderModels } from './render-models.ts';
import { renderOperations } from './render-operations.ts';

const MANIFEST = new URL('../../../../../package.json', import.meta.url);

/** The files of clients/python/src/payment_requests that are made from the document. */
export const PYTHON_FILES: Readonly<Record<string, (document: OpenApi) => string>> = {
  'models.py': renderModels,
  '_operations.py': renderOperations,
  '_webhook_examples.py': renderExamples,
  '_version.py': renderVersion,
};

export async function renderPythonFile(name: string): Promise<string> {
  return PYTHON_FILES[name]?.(JSON.parse(await readOpenApi())) ?? '';
}

/** An example of each webhook, as text. */
function renderExamples({ webhooks }: OpenApi): string {
  const examples = Object.entries(webhooks).map(([type, { post }]) => {
    const [example] = Object.values(post.requestBody?.content['application/json']?.examples ?? {});
    return `    "${type}": r"""\n${JSON.stringify(example?.value, null, 2)}\n""",`;
  });
  return `${HEAD}
"""An example of each webhook, as the API's document has it."""

EXAMPLES = {
${examples.join('\n')}
}
`;
}

/** The version of the service in the form of PEP 440: 1.0.0-rc.1 is 1.0.0rc1. */
function renderVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const normal = version.replace(/-(a|b|rc)\w*\.(\d+)$/, '$1$2');
  return `${HEAD}
"""The version of this package, which is the service's."""

VERSION = "${normal}"
`;
}
