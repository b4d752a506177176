/** The text of a file, and the text that takes its place, in the order of the replacements. */
export type Replacements = readonly (readonly [text: string, replacement: string])[];

/** A place of a file that is still to be filled in, as in `@NODE@`. */
const OPEN_PLACE = /@[A-Z0-9_]+@/;

/**
 * Fills in a file of `deploy/high-availability`. Pure.
 *
 * @throws Error for a text that the file does not hold, and for a place that nothing fills in: the
 *   file and the proof then tell different things
 */
export function renderFile(file: string, replacements: Replacements): string {
  let rendered = file;
  for (const [text, replacement] of replacements) {
    if (!rendered.includes(text)) throw new Error(`The file does not hold "${text}".`);
    rendered = rendered.replaceAll(text, replacement);
  }
  const settings = rendered.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  const open = OPEN_PLACE.exec(settings.join('\n'));
  if (open) throw new Error(`Nothing fills in ${open[0]}.`);
  return rendered;
}
