/** What an operator asked for cannot be done; the message says why, in words for people. */
export class OperatorFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorFault';
  }
}
