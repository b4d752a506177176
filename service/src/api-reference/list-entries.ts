import {
  type DocumentedCall,
  type MediaType,
  PROBLEM_TYPE,
  type ReferenceDocument,
  resolve,
} from './document-types.ts';

/** A call of the API, or one that the service makes to a listener; each has a page. */
export interface Entry {
  /** The operationId, the last part of the page's address. */
  readonly id: string;
  readonly method: string;
  /** The path; of a webhook, the event type. */
  readonly path: string;
  readonly isWebhook: boolean;
  readonly tag: string;
  readonly summary: string;
  readonly call: DocumentedCall;
  /** All that a search looks at, in lower case. */
  readonly words: string;
}

/** All calls and webhooks, in the order of the document. */
export function listEntries(document: ReferenceDocument): readonly Entry[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) =>
      entryOf(document, call, { method: method.toUpperCase(), path, isWebhook: false }),
    ),
  );
  const webhooks = Object.entries(document.webhooks).map(([eventType, { post }]) =>
    entryOf(document, post, { method: 'POST', path: eventType, isWebhook: true }),
  );
  return [...calls, ...webhooks];
}

function entryOf(
  document: ReferenceDocument,
  call: DocumentedCall,
  where: Pick<Entry, 'method' | 'path' | 'isWebhook'>,
): Entry {
  const words = new Set<string>([where.method, where.path]);
  collectWords(document, call, words, new Set());
  return {
    ...where,
    id: call.operationId,
    tag: call.tags[0] ?? '',
    summary: call.summary,
    call,
    words: [...words].join(' ').toLowerCase(),
  };
}

/** Names and texts of a part of the document; the values of examples are none of them. */
function collectWords(
  document: ReferenceDocument,
  node: unknown,
  words: Set<string>,
  seen: Set<unknown>,
): void {
  if (typeof node === 'string') words.add(node);
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const resolved = resolve(document, node as object);
  for (const [name, member] of Object.entries(resolved)) {
    if (name === 'value' || name === 'example') continue;
    if (!Array.isArray(resolved)) words.add(name);
    // The schema of a problem has the codes of all calls; the examples have those of this call.
    const isProblem = name === PROBLEM_TYPE;
    const searched = isProblem ? Object.keys((member as MediaType).examples ?? {}) : member;
    collectWords(document, searched, words, seen);
  }
}
