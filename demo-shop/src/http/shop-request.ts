type Headers = Readonly<Record<string, string | string[]>>;

/** A call of a browser, read whole. */
export interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  /** Whether our own script asks, rather than a person's navigation. */
  readonly wantsJson: boolean;
  /** The payment page's language that the browser prefers. */
  readonly language: 'en' | 'fr';
}

export interface ShopAnswer {
  readonly status: number;
  /** A list where a header comes more than once. */
  readonly headers: Headers;
  readonly body: string | Uint8Array;
}

export function json(status: number, body: unknown): ShopAnswer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  return { status, headers, body: JSON.stringify(body) };
}

/** Every POST ends in one, so that reloading a page does nothing twice. */
export function seeOther(location: string, headers: Headers = {}): ShopAnswer {
  return { status: 303, headers: { location, ...headers }, body: '' };
}
