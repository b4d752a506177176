export interface Origins {
  /** The service, which serves checkout.js. */
  readonly serviceOrigin: string;
  /** The payment links. */
  readonly gatewayOrigin: string;
}

/** The headers of every page of the shop. */
export function securityHeaders({ serviceOrigin, gatewayOrigin }: Origins) {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      `script-src 'self' ${serviceOrigin}`,
      "connect-src 'self'",
      "img-src 'self'",
      // The staff's pages show mails, in a sandbox.
      "frame-src 'self'",
      // The payment form redirects to the payment link; a browser checks every redirect.
      `form-action 'self' ${gatewayOrigin}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // `same-origin` would separate this page from the payment window.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    // The URL of an order's page is secret: it gives access to the order.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

/**
 * The headers of the page behind `returnUrl`, beside those of every page. The payment window may
 * show it, and must stay connected to the page that opened it: another value cuts the two.
 */
export const RETURN_PAGE_HEADERS = { 'cross-origin-opener-policy': 'unsafe-none' } as const;
