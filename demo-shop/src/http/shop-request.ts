type Headers = Readonly<Record<string, string | string[]>>;

/** A browser's request, read completely. */
export interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  /** True for a call of the page's script, false for a navigation. */
  readonly wantsJson: boolean;
  /** The language of the payment pages that the browser prefers. */
  readonly language: 'en' | 'fr';
}

export interface ShopAnswer {
  readonly status: number;
  /** A list for a header that is sent several times. */
  readonly headers: Headers;
  readonly body: string | Uint8Array;
}

/**
 * Answers by method and path, for example `GET /basket`. `:id` in a path stands for an order's id,
 * which is the second argument.
 */
export type Routes = Readonly<
  Record<string, (request: ShopRequest, orderId: string) => ShopAnswer | Promise<ShopAnswer>>
>;

export function json(status: number, body: unknown, headers: Headers = {}): ShopAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** Ends a POST with a redirect, so that a reload repeats nothing. */
export function seeOther(location: string, headers: Headers = {}): ShopAnswer {
  return { status: 303, headers: { location, ...headers }, body: '' };
}
