import { request } from 'node:http';

type Headers = Readonly<Record<string, string>>;

/** The headers of a browser whose person opens an address; `fetch` sends others. */
const NAVIGATION: Headers = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
};

export interface Navigated {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Opens an address as a person's browser does, and follows no redirect. */
export function navigate(address: string, headers: Headers = {}): Promise<Navigated> {
  return send(address, { ...NAVIGATION, ...headers });
}

/** Sends a GET with these headers alone. */
export function send(address: string, headers: Headers): Promise<Navigated> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.setTimeout(10_000, () => sent.destroy(new Error(`no answer from ${address}`)));
    sent.end();
  });
}
