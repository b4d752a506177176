/** The output of whole lines. */
export interface LineSink {
  write(lines: string): unknown;
}

export interface JoinedLines {
  write(line: string): void;
  /** Writes the lines that wait, now. */
  flush(): void;
}

export interface JoinLimits {
  /** A text of this many characters is written at once. */
  readonly fewest: number;
  /** No line waits longer for others. */
  readonly longestDelayMs: number;
}

/**
 * Joins lines into one text for each write. The stream behind it joins and measures its whole
 * text at each write, which a line for each call makes expensive.
 */
export function joinLines(sink: LineSink, { fewest, longestDelayMs }: JoinLimits): JoinedLines {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    const text = lines;
    lines = '';
    sink.write(text);
  }

  return {
    write(line) {
      lines += line;
      if (lines.length >= fewest) flush();
      else timer ??= setTimeout(flush, longestDelayMs).unref();
    },
    flush,
  };
}
