/** Options that do not fit together; the message continues `error: `. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageFault';
  }
}
