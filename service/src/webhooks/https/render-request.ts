const CRLF = '\r\n';
/** A line end within a value would begin another header. */
const UNSAFE = /[^\t\x20-\x7e]/;

/**
 * Renders a POST of HTTP/1.1, head and body in one text: one write, and one TLS record for a usual
 * body.
 *
 * @throws TypeError for a header or target with a character other than those of ASCII that print
 */
export function renderRequest(
  { host, path }: { readonly host: string; readonly path: string },
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  let head = `POST ${path} HTTP/1.1${CRLF}host: ${host}${CRLF}`;
  if (UNSAFE.test(path) || UNSAFE.test(host)) throw new TypeError('a target is not plain ASCII');
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (UNSAFE.test(value)) throw new TypeError(`the header ${name} is not plain ASCII`);
    head += `${name}: ${value}${CRLF}`;
  }
  head += `content-length: ${Buffer.byteLength(body)}${CRLF}connection: keep-alive${CRLF}`;
  return `${head}${CRLF}${body}`;
}
