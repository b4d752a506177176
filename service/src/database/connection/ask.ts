import type pg from 'pg';

/**
 * Sends one statement. With a callback, because pg makes its own promise by a function that V8 puts
 * among the old objects: until these are collected it keeps alive whatever waits for the answer.
 */
export async function ask(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      client.query(query, (error: Error | null, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    // The stack leads to the socket as it comes; from here it leads to the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
