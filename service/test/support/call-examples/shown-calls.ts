import assert from 'node:assert/strict';
import { placedCalls } from '../documents/openapi-document.ts';
import { codeOf } from '../documents/shown-code.ts';
import type { TestService } from '../service/service.ts';

/** A call as its page in the reference shows it. */
export interface ShownCall {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** The values of these parameters in the code. */
  readonly ids: Readonly<Record<string, string>>;
  /** With its question mark; empty for none. */
  readonly query: string;
  /** The first example of the body; undefined: the call has none. */
  readonly body: unknown;
  /** The code of each tab, by the tab's label. */
  readonly code: Readonly<Record<string, string>>;
}

/** Reads the pages of all calls. */
export async function readShownCalls(service: TestService): Promise<readonly ShownCall[]> {
  const { json } = await service.call('GET', '/openapi.json');
  return Promise.all(
    placedCalls(json).map(async ({ path, method, operationId: id, requestBody }) => {
      const { text } = await service.call('GET', `/docs/${id}`);
      const [, tabs = ''] = text.split('<fieldset class="code-tabs">');
      const shown = tabs.split('</fieldset>')[0] ?? '';
      const labels = [...shown.matchAll(/ value="([^"]+)"/g)].map(([, label = '']) => label);
      const blocks = codeOf(shown);
      assert.equal(blocks.length, labels.length, id);
      const code = Object.fromEntries(labels.map((label, at) => [label, blocks[at] ?? '']));
      const named = path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/?"]+)');
      const found = new RegExp(`https://pay\\.test${named}(?<query>\\?[^"]*)?"`).exec(
        code.curl ?? '',
      );
      const { query = '', ...ids } = found?.groups ?? assert.fail(`${id}: ${code.curl}`);
      const [content] = Object.values(requestBody?.content ?? {});
      const body = Object.values(content?.examples ?? {})[0]?.value;
      return { id, method, path, ids, query, body, code };
    }),
  );
}
