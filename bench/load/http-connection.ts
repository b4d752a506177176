import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
/** The position of the status in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;

/**
 * A persistent connection of the load generator. It reads only the status and the end of an answer,
 * so answers need a `content-length`. It sends a request when the answer before has come: no
 * pipelining. When the server closes the connection, the next request opens a new one.
 */
export class HttpConnection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket;
  #onAnswer: ((status: number) => void) | undefined;
  /** The bytes of a head that has not come whole. */
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  /** The bytes of the body that are still to come, once the head is read. */
  #bytesLeft = 0;

  private constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
    this.#socket = this.#connect();
  }

  static async open(host: string, port: number): Promise<HttpConnection> {
    const connection = new HttpConnection(host, port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  /** `onAnswer` receives the status; 0: the connection broke. */
  send(request: string, onAnswer: (status: number) => void): void {
    if (this.#socket.destroyed) this.#socket = this.#connect();
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #connect(): Socket {
    const socket = connect(this.#port, this.#host);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (socket === this.#socket) this.#end(0);
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    if (this.#bytesLeft > 0) {
      this.#bytesLeft -= chunk.length;
    } else {
      const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = bytes;
        return;
      }
      this.#head = Buffer.alloc(0);
      const head = bytes.toString('latin1', 0, end);
      this.#status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head);
      if (!length) throw new Error(`An answer has no content-length: ${head}`);
      this.#bytesLeft = Number(length[1]) - (bytes.length - end - HEAD_END.length);
    }
    if (this.#bytesLeft <= 0) this.#end(this.#status);
  }

  #end(status: number): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    this.#bytesLeft = 0;
    onAnswer?.(status);
  }
}
