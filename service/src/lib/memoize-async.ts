/**
 * Makes a function that makes its result at the first call and keeps the result. It keeps no
 * failure: the next call tries again.
 */
export function memoizeAsync<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
