/** Options that do not fit together; the message continues `error: `. */
export class UsageFault extends Error {
  override name = 'UsageFault';
}
