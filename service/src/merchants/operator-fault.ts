/** An operator's request that cannot be done; the message gives the reason for people. */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
}
