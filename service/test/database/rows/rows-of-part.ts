export type Row = Readonly<Record<string, unknown>>;

export const ID = '01890000-0000-7000-8000-000000000001';
export const OTHER_ID = '01890000-0000-7000-8000-000000000002';
export const AT = '2026-03-01T12:00:00Z';
export const hash = (bytes: number) => Buffer.alloc(bytes, 1);

/** The rows by which a test shows that the database refuses what it must refuse. */
export interface RowsOfPart {
  /** A valid row of each table that has a constraint. */
  readonly valid: Readonly<Record<string, Row>>;
  /** Changes of the valid row, each of which breaks the CHECK; a range has a row at each end. */
  readonly breaks: Readonly<Record<string, readonly Row[]>>;
  /**
   * Changes that leave the second of two rows equal only where the unique index forbids it; a pair
   * changes both rows first.
   */
  readonly twins: Readonly<Record<string, Row | readonly [both: Row, second: Row]>>;
}
