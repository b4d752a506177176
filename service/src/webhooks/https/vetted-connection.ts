import { isIP, isIPv6, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '#lib/clock.ts';
import { DeliveryFailure } from '#webhooks/model/outcomes.ts';
import { canonicalAddress } from './forbidden-addresses.ts';
import type { WebhookUrlGuard } from './url-guard.ts';

/** A server with several addresses, one of them dead, is found well within the connect limit. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

export interface ConnectDeps {
  readonly clock: Clock;
  readonly guard: WebhookUrlGuard;
  readonly secureContext: SecureContext;
  /** For the name, TCP and TLS together. */
  readonly connectTimeoutMs: number;
}

/**
 * How the time until the connection stood was spent, in milliseconds; a step not reached is left
 * out.
 */
export interface ConnectTimes {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
}

/**
 * Opens a TLS connection to an origin. Validates the origin now, connects only to a validated
 * address, and asserts that the connection has such an address (delivery §4).
 *
 * @param origin as in `https://shop.example:8443`
 * @param times  filled in on the way, also on one that fails
 * @throws DeliveryFailure when the guard refuses or the time is over; what node:tls throws
 */
export async function openVettedConnection(
  { clock, guard, secureContext, connectTimeoutMs }: ConnectDeps,
  origin: string,
  times: ConnectTimes = {},
): Promise<TLSSocket> {
  const startedMs = clock.steadyMs();
  const giveUpAt = startedMs + connectTimeoutMs;
  const verdict = await guard.check(origin, 'deliver');
  const checkedMs = clock.steadyMs();
  times.dnsMs = checkedMs - startedMs;
  if (!verdict.allowed) throw new DeliveryFailure(verdict.refusal);
  const { url, addresses } = verdict;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const options: ConnectionOptions & TcpNetConnectOpts = {
    host,
    port: url.port === '' ? 443 : Number(url.port),
    // SNI carries names only; an address is still verified against the certificate.
    servername: isIP(host) === 0 ? host : '',
    secureContext,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    // Node calls `lookup` for names only; an address in the URL is already validated.
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  };
  const socket = connect(options);
  socket.setNoDelay(true);
  // A socket that fails between its owners would end the process.
  socket.on('error', () => {});
  socket.once('connect', () => {
    const connectedMs = clock.steadyMs();
    times.connectMs = connectedMs - checkedMs;
    socket.once('secureConnect', () => {
      times.tlsMs = clock.steadyMs() - connectedMs;
    });
  });
  return secured(socket, addresses, giveUpAt - clock.steadyMs());
}

function secured(
  socket: TLSSocket,
  vetted: readonly string[],
  timeoutMs: number,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(new DeliveryFailure('CONNECT_TIMED_OUT'));
    }, timeoutMs);
    const assertVetted = () => {
      if (!isOneOf(socket.remoteAddress, vetted)) {
        socket.destroy(new DeliveryFailure('FORBIDDEN_ADDRESS'));
      }
    };
    // Before the first byte is sent, and again when the connection is handed out.
    socket.once('connect', assertVetted);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      assertVetted();
      // Bytes with the end of the handshake are there a turn later: nothing asked for them.
      if (!socket.destroyed) setImmediate(resolve, socket);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new DeliveryFailure('CONNECTION_LOST'));
    });
  });
}

/** A `lookup` that knows only the validated addresses. */
function answering(addresses: readonly string[]): LookupFunction {
  return (_hostname, _options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    callback(null, all);
  };
}

function isOneOf(address: string | undefined, vetted: readonly string[]): boolean {
  const canonical = canonicalAddress(address ?? '');
  return canonical !== null && vetted.some((one) => canonicalAddress(one) === canonical);
}
