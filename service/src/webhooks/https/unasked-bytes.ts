import { readSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import { codeOf } from '#webhooks/model/outcomes.ts';

/**
 * The part of a socket below node:tls. Node.js documents no read that returns at once. On a socket
 * without these members, each request gets a new connection.
 */
interface SocketBelow {
  readonly _handle?: {
    readonly fd?: number;
    /** The TCP handle under TLS. */
    readonly _parent?: { readonly bytesRead?: number };
  } | null;
}

const ONE_BYTE = Buffer.alloc(1);

/**
 * The bytes that came over TCP until now, as `hasUnaskedBytes` needs them later. null before the
 * first byte of an answer: session tickets may still come, which are no answer (RFC 8446 §4.6.1).
 */
export function arrivedBytesOf(socket: TLSSocket): number | null {
  return socket.bytesRead === 0 ? null : (tcpBytesOf(socket) ?? Number.NaN);
}

/**
 * Whether bytes are there that no request asked for. Asked right before a request is written: such
 * bytes would be read as its answer. Finds the half of a TLS record too, and the listener's end of
 * the connection. Takes a byte away from the connection, which must then be destroyed.
 *
 * @param arrived `arrivedBytesOf` when the last answer was whole; null without an answer
 */
export function hasUnaskedBytes(socket: TLSSocket, arrived: number | null): boolean {
  if (arrived === null) return socket.bytesRead > 0;
  return tcpBytesOf(socket) !== arrived || isReadable(socket);
}

/** Reads without waiting what the system has received and the event loop has not seen. */
function isReadable(socket: TLSSocket): boolean {
  const { fd = -1 } = (socket as SocketBelow)._handle ?? {};
  const { stackTraceLimit } = Error;
  try {
    // EAGAIN is the usual case: with a stack, its error would cost five times the read.
    Error.stackTraceLimit = 0;
    // A socket of libuv never blocks. 0 bytes are the end of the connection.
    readSync(fd, ONE_BYTE, 0, 1, null);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EAGAIN';
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function tcpBytesOf(socket: TLSSocket): number | undefined {
  return (socket as SocketBelow)._handle?._parent?.bytesRead;
}
