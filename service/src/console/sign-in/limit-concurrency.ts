/**
 * Lets so many pieces of work run at once in this process.
 *
 * @returns a function that runs a piece of work; null: as many run already
 */
export function limitConcurrency(most: number) {
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    if (running >= most) return null;
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
}
