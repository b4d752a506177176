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
