import type { OutgoingHttpHeaders } from 'node:http';

/**
 * The headers that an answer has unless it sets its own of the same name. They are rendered once:
 * Fastify and Node.js spend 0.2 µs on each header of each answer.
 */
export class StandardHeaders {
  readonly #names: readonly string[];
  readonly #lines: readonly string[];
  readonly #allLines: string;

  /** @param headers by their names in lower case, with values that need no check */
  constructor(headers: Readonly<Record<string, string>>) {
    this.#names = Object.keys(headers);
    this.#lines = this.#names.map((name) => `${name}: ${headers[name]}\r\n`);
    this.#allLines = this.#lines.join('');
  }

  /** The lines of a head that has these headers of its own, by their names in lower case. */
  linesBeside(own: Readonly<OutgoingHttpHeaders>): string {
    for (const name of this.#names) if (own[name] !== undefined) return this.#someLines(own);
    return this.#allLines;
  }

  #someLines(own: Readonly<OutgoingHttpHeaders>): string {
    return this.#lines.filter((_, at) => own[this.#names[at] ?? ''] === undefined).join('');
  }
}
