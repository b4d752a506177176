import type { CustomFetch } from 'openid-client';
import { ProviderFault } from './provider-fault.ts';

/**
 * All calls of one sign-in together: discovery, token, keys and user information answer within
 * milliseconds, and a person waits for them.
 */
const LONGEST_WAIT_MS = 8_000;
/** The longest answer: key sets and claims of large organisations take some 10 kB. */
const MOST_BYTES = 512 * 1_024;

export interface BoundedFetch {
  readonly fetch: CustomFetch;
  /** The fault of the connection, beneath the error of a library; null: none so far. */
  fault(): ProviderFault | null;
}

export interface Bounds {
  readonly waitMs?: number;
  /** The address whose first answer stands for every further call to it; left out: none. */
  readonly kept?: string | undefined;
}

/** Makes a `fetch` for the calls of one sign-in, with one time limit for all of them. */
export function createBoundedFetch({ waitMs = LONGEST_WAIT_MS, kept }: Bounds = {}): BoundedFetch {
  const deadline = AbortSignal.timeout(waitMs);
  let fault: ProviderFault | null = null;
  let keptAnswer: Response | null = null;
  return {
    async fetch(url, { method, headers: sent, body: sentBody, redirect }) {
      if (url === kept && keptAnswer) return keptAnswer.clone();
      try {
        const init = { method, headers: sent, redirect, signal: deadline };
        const response = await fetch(url, { ...init, body: sentBody ?? null } as RequestInit);
        const body = await readBody(response);
        if (response.status >= 500) throw unreachable(`answered ${response.status}`);
        const { status, headers } = response;
        const isEmpty = status === 204 || status === 304;
        const answer = new Response(isEmpty ? null : body, { status, headers });
        if (url === kept) keptAnswer = answer.clone();
        return answer;
      } catch (error) {
        fault = faultOf(error, deadline);
        throw fault;
      }
    },
    fault: () => fault,
  };
}

async function readBody(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) {
      throw new ProviderFault('INVALID_ANSWER', `The answer has more than ${MOST_BYTES} bytes.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function faultOf(error: unknown, deadline: AbortSignal): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (deadline.aborted) {
    return new ProviderFault('SILENT', 'The identity provider gave no whole answer in time.');
  }
  return unreachable('cannot be reached', error);
}

function unreachable(how: string, cause?: unknown): ProviderFault {
  return new ProviderFault('UNREACHABLE', `The identity provider ${how}.`, cause);
}
