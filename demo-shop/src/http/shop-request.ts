import type { Language } from '../language.ts';
import type { Cookie } from './cookies.ts';

/** A browser's request, read completely. */
export interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  /** True for a call of the page's script, false for a navigation. */
  readonly wantsJson: boolean;
  /** The language that the customer chose, or that the browser prefers. */
  readonly language: Language;
}

export interface ShopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  readonly body: string | Uint8Array;
}

/**
 * Answers by method and path, for example `GET /basket`. `:id` in a path stands for an order's id,
 * which is the second argument.
 */
export type Routes = Readonly<
  Record<string, (request: ShopRequest, orderId: string) => ShopAnswer | Promise<ShopAnswer>>
>;

export function json(status: number, body: unknown, cookies: readonly Cookie[] = []): ShopAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    cookies,
    body: JSON.stringify(body),
  };
}

/** Ends a POST with a redirect, so that a reload repeats nothing. */
export function seeOther(location: string, cookies: readonly Cookie[] = []): ShopAnswer {
  return { status: 303, headers: { location }, cookies, body: '' };
}
