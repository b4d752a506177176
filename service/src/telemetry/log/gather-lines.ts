/** The output of whole lines. */
export interface LineSink {
  write(lines: string): unknown;
}

export interface GatheredLines {
  write(line: string): void;
  /** Writes what is gathered, now. */
  flush(): void;
}

export interface GatherLimits {
  /** So many characters are written at once. */
  readonly fewest: number;
  /** No line waits longer for others. */
  readonly longestDelayMs: number;
}

/**
 * Gathers lines into one text for each write. The stream behind it joins and measures its whole
 * text at each write, which takes 8 µs of each call of the service.
 */
export function gatherLines(
  sink: LineSink,
  { fewest, longestDelayMs }: GatherLimits,
): GatheredLines {
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
