import { basicCredentials } from '../webhooks/signature.ts';
import { withoutControls } from './align-columns.ts';
import type { MerchantAccess } from './merchant-access.ts';
import { ToolFault } from './tool.ts';

/** Longer than the longest call there is, a read that waits 30 s. */
const CALL_TIMEOUT_MS = 45_000;

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: each command knows what it asked for
  readonly json: any;
}

export interface MerchantApi {
  /**
   * Sends a call with the merchant's credentials; buys a token when there is none or it is over.
   *
   * @param path from {base_url} on
   * @throws ToolFault where the credentials are refused; what `fetch` throws where nobody
   *         answers
   */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<ApiAnswer>;
}

/** Opens the public API as a merchant does: these commands need no settings and no database. */
export function createMerchantApi(access: MerchantAccess, signal?: AbortSignal): MerchantApi {
  let token: string | null = null;

  async function ask(method: string, path: string, body?: object): Promise<ApiAnswer> {
    token ??= await buyToken(access, signal);
    return send(`${access.apiUrl}${path}`, {
      method,
      headers: {
        'x-api-key': access.apiKey,
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: endingWith(signal),
    });
  }

  return {
    async call(method, path, body) {
      const answer = await ask(method, path, body);
      if (answer.status !== 401 || !/^ACCESS_TOKEN_/.test(answer.json?.code)) return answer;
      token = null;
      return ask(method, path, body);
    },
  };
}

async function buyToken(access: MerchantAccess, signal?: AbortSignal): Promise<string> {
  const { status, json } = await send(access.authUrl, {
    method: 'POST',
    headers: { authorization: basicCredentials(access.username, access.password) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    signal: endingWith(signal),
  });
  if (status === 200 && typeof json?.access_token === 'string') return json.access_token;
  if (status === 401) throw new ToolFault('The token call refuses these credentials.');
  throw new Error(`The token call answered ${status}.`);
}

async function send(url: string, init: RequestInit): Promise<ApiAnswer> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const text = await response.text();
  try {
    return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
  } catch {
    throw new Error(`${url} answered ${response.status} and no JSON.`);
  }
}

function endingWith(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** A refusal in one line, with its field faults. */
export function describeProblem({ status, json }: ApiAnswer): string {
  const faults = (json?.errors ?? []).map((each: { message?: string }) => each.message).join(' ');
  const text = `${status} ${json?.code ?? ''} ${json?.detail ?? json?.title ?? ''} ${faults}`;
  return withoutControls(text.replaceAll(/\s+/g, ' ').trim());
}
