/** Whether browsers accept a cookie without Secure at this origin (journey §1). */
export function isPlainLocalhost(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
