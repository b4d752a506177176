/** Why the call of a program is refused; the message is a sentence for the person who runs it. */
export class ProgramRefusal extends Error {
  override readonly name = 'ProgramRefusal';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, code: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}
