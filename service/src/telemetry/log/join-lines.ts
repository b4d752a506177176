/** The output of whole lines. */
export interface LineSink {
  write(lines: string): unknown;
}

export interface JoinLimits {
  /** A text of this many characters is written in the next turn of the event loop. */
  readonly fewest: number;
  /** No line waits longer for others. */
  readonly longestDelayMs: number;
}

/**
 * Joins lines into one text for each write. The stream behind it joins and measures its whole
 * text at each write, which a line for each call makes expensive. No write begins within a turn: a
 * process that exits in it would write later lines before the stream has written the first.
 */
export function joinLines(sink: LineSink, { fewest, longestDelayMs }: JoinLimits) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let nextTurn: NodeJS.Immediate | undefined;

  function flush(to: LineSink = sink): void {
    clearTimeout(timer);
    clearImmediate(nextTurn);
    timer = undefined;
    nextTurn = undefined;
    if (lines === '') return;
    const text = lines;
    lines = '';
    to.write(text);
  }

  return {
    write(line: string) {
      lines += line;
      if (lines.length >= fewest) nextTurn ??= setImmediate(() => flush());
      else timer ??= setTimeout(() => flush(), longestDelayMs).unref();
    },
    /** Writes the lines that wait, now: to the sink, or to one that takes its place. */
    flush,
  };
}
