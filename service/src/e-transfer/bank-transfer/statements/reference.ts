/** Banks write these words where they have no reference. */
const NO_REFERENCE = /^(NONREF|NOTPROVIDED|NOT PROVIDED|NOTAVAILABLE|NONE|N\/A|[0-]+)$/i;

/** A reference of the bank; null where the text only stands for a missing one. */
export function readReference(text: string | null): string | null {
  return text === null || NO_REFERENCE.test(text) ? null : text;
}
