/**
 * A statement file that cannot be trusted as a whole, with a sentence for the operator. The
 * sentence names the line and the element, and never quotes the file's contents: a statement holds
 * the names and accounts of payers.
 */
export class StatementFault extends Error {
  override readonly name = 'StatementFault';
}
