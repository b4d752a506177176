/** An operator's request that cannot be done; the message gives the reason for people. */
export class OperatorFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorFault';
  }
}
