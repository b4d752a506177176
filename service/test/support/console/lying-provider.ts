import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

export interface Answers {
  /** Replaces parts of the discovery document. */
  discovery?: Readonly<Record<string, unknown>>;
  /** Replaces claims of the ID token. */
  claims?: JWTPayload;
  /** Another key than the published one, or no signature. */
  signature?: 'OTHER_KEY' | 'NONE';
  /** Another key under the same `kid`. */
  published?: 'OTHER_KEY';
  /** Blanks at the end of the answer of the token call. */
  blanks?: number;
  /** Answers the token call by itself. */
  token?: (response: ServerResponse) => void;
  userInfo?: Readonly<Record<string, unknown>>;
}

/** An identity provider that gives the answers of a test, good ones where the test names none. */
export async function startLyingProvider({ now }: { readonly now: () => Date }) {
  const good = await generateKeyPair('RS256', { modulusLength: 2048 });
  const other = await generateKeyPair('RS256', { modulusLength: 2048 });
  const published = async ({ publicKey }: typeof good) => ({
    ...(await exportJWK(publicKey)),
    ...{ use: 'sig', alg: 'RS256', kid: 'good' },
  });
  let answers: Answers = {};
  let discoveries = 0;
  const calls: string[] = [];
  let issuer = '';

  async function idToken(): Promise<string> {
    const seconds = Math.floor(now().getTime() / 1_000);
    const standard = { iss: issuer, sub: 'ada', aud: 'console', nonce: 'n', auth_time: seconds };
    const claims = { ...standard, iat: seconds, exp: seconds + 300, ...answers.claims };
    if (answers.signature === 'NONE') return new UnsecuredJWT(claims).encode();
    const signer = answers.signature === 'OTHER_KEY' ? other : good;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'good' })
      .sign(signer.privateKey);
  }

  const server = createServer(async ({ url = '' }, response) => {
    const send = (value: unknown, end = '') =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value) + end);
    if (url.endsWith('/openid-configuration')) {
      discoveries += 1;
      return send({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        authorization_response_iss_parameter_supported: true,
        ...answers.discovery,
      });
    }
    calls.push(url);
    if (url === '/keys') {
      return send({ keys: [await published(answers.published ? other : good)] });
    }
    if (url === '/me') return send(answers.userInfo ?? { sub: 'ada', groups: ['ops'] });
    if (answers.token) return answers.token(response);
    const token = { access_token: 'a', token_type: 'Bearer', id_token: await idToken() };
    return send(token, ' '.repeat(answers.blanks ?? 0));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    discoveries: () => discoveries,
    /** How often an address was called. */
    callsOf: (path: string) => calls.filter((each) => each === path).length,
    answer(next: Answers) {
      answers = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
