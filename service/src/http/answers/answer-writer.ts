import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

type Headers = Parameters<ServerResponse['writeHead']>[1];

/**
 * The one writer of answers that Fastify does not own. The answer begins once and ends once, and an
 * error of its connection ends nothing but the answer.
 */
export class AnswerWriter {
  readonly #response: ServerResponse;

  private constructor(response: ServerResponse) {
    this.#response = response;
    // Without a listener an error of the answer would end the process.
    response.on('error', () => response.destroy());
  }

  /** @returns null: the connection is gone, or an answer has begun; nothing was written */
  static begin(response: ServerResponse, status: number, headers: Headers): AnswerWriter | null {
    const isOver = response.destroyed || response.writableEnded || response.headersSent;
    if (isOver || response.req.socket.destroyed) return null;
    const writer = new AnswerWriter(response);
    response.writeHead(status, headers);
    return writer;
  }

  /** Takes the answer from Fastify, which writes nothing more to it; begins it as `begin` does. */
  static takeOver(reply: FastifyReply, status: number, headers: Headers): AnswerWriter | null {
    reply.hijack();
    return AnswerWriter.begin(reply.raw, status, headers);
  }

  /** The bytes that the caller has not taken yet. */
  get unreadBytes(): number {
    return this.#response.writableLength;
  }

  /** Writes nothing once the answer has ended or the connection is gone. */
  write(text: string): void {
    if (this.#isOpen()) this.#response.write(text);
  }

  /** Ends the answer; a second call changes nothing. */
  end(text?: string): void {
    if (this.#isOpen()) this.#response.end(text);
  }

  /** Runs when the answer is sent, or its connection is gone; at once where it is over already. */
  onClose(run: () => void): void {
    if (this.#response.closed) run();
    else this.#response.once('close', run);
  }

  /** Ends the connection with the answer. */
  destroy(): void {
    this.#response.destroy();
  }

  #isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }
}

/** Writes a whole answer to the connection itself, which ends behind it. */
export function endConnection(socket: Socket, answer: string): void {
  if (socket.writable) socket.end(answer);
}
