import { gzipSync } from 'node:zlib';
import { ruleOf } from '../../service/src/console/model/access-matrix.ts';
import type { ConsoleClient } from '../../service/test/support/console/console-client.ts';
import { readConsoleRoutes } from '../../service/test/support/console/console-routes.ts';
import { OWNERS } from '../growth/seed-rows.ts';
import type { Sample } from './seed-console.ts';
import { LISTS } from './seed-lists.ts';

/** A page of the console, or a search, with a path for each call. */
export interface ConsoleCall {
  readonly name: string;
  readonly isSearch: boolean;
  /** Makes the n-th call. @returns its status */
  readonly run: (n: number) => Promise<number>;
  /** Asks for the page. @returns its size, compressed */
  readonly weigh?: () => Promise<number>;
}

export interface ConsoleClients {
  readonly operator: ConsoleClient;
  /** The administrator of the largest merchant. */
  readonly administrator: ConsoleClient;
}

/** Streams and files are no pages. */
const IS_LEFT_OUT = /(\/live|\.csv)$/;

/**
 * Every page that the console registers, so that a new page is measured as soon as it exists; and a
 * search for each kind of reference.
 *
 * @returns the calls, and the pages for whose paths the sample has no ids
 */
export async function consoleCalls(
  { operator, administrator }: ConsoleClients,
  sample: Sample,
): Promise<{ readonly calls: readonly ConsoleCall[]; readonly skipped: readonly string[] }> {
  const calls: ConsoleCall[] = [];
  const skipped: string[] = [];
  for (const { method, path, action } of await readConsoleRoutes()) {
    if (method !== 'GET' || IS_LEFT_OUT.test(path)) continue;
    const pathOf = pathsOf(path, sample);
    const isOfMerchant = ruleOf(action).scope === 'merchant';
    const client = isOfMerchant ? administrator : operator;
    if (pathOf) calls.push(pageCall(`/console${path}`, client, pathOf));
    else skipped.push(path);
  }
  for (const [kind, values] of Object.entries(sample.searched)) {
    if (values.length === 0) continue;
    for (const [who, client] of Object.entries({ operator, administrator })) {
      calls.push(searchCall(`search: ${kind}, ${who}`, client, values));
    }
  }
  return { calls, skipped };
}

/** The lists with their filters. */
export function listCalls(clients: ConsoleClients): readonly ConsoleCall[] {
  return Object.entries(clients).flatMap(([who, client]: [string, ConsoleClient]) =>
    (LISTS[who] ?? []).map((path) => ({
      ...pageCall(path, client, () => path),
      weigh: async () => gzipSync((await client.get(path)).html).length,
    })),
  );
}

function pageCall(name: string, client: ConsoleClient, pathOf: (n: number) => string): ConsoleCall {
  const run = async (n: number) => (await client.get(pathOf(n))).status;
  return { name, isSearch: false, run };
}

/** The search without the page that it leads to, which is a line of its own. */
function searchCall(name: string, client: ConsoleClient, values: readonly string[]): ConsoleCall {
  const run = async (n: number) => {
    const { status } = await client.post('/console/search', { q: values[n % values.length] ?? '' });
    return status === 303 ? 200 : status;
  };
  return { name, isSearch: true, run };
}

/** null: the sample has no id for a part of the path. */
function pathsOf(path: string, { ids }: Sample): ((n: number) => string) | null {
  const own = `/console${path.replace(':merchant', OWNERS.giant)}`;
  const parts = [...own.matchAll(/([\w-]+)\/:\w+/g)].map(([, before = '']) => before);
  if (parts.some((before) => (ids[before]?.length ?? 0) === 0)) return null;
  return (n) =>
    own.replace(/([\w-]+)\/:\w+/g, (_, before: string) => {
      const known = ids[before] ?? [];
      return `${before}/${known[n % known.length]}`;
    });
}
