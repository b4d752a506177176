import type { IncomingMessage } from 'node:http';

/** Reads a complete body; null as soon as the body exceeds `most` bytes. */
export async function readBody(message: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
