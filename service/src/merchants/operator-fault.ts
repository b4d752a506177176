/** An operator's request that cannot be done; the message gives the reason for people. */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
  /** The field of a form that the reason is about; null: the reason is about no field alone. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}
