/** Whether a URL leads to this machine; WHATWG `URL` writes each address in one spelling. */
export function isLocalhost({ hostname }: URL): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Whether an origin is HTTP on this machine: browsers may refuse a cookie with Secure there. */
export function isPlainLocalhost(origin: string): boolean {
  const url = new URL(origin);
  return url.protocol === 'http:' && isLocalhost(url);
}
