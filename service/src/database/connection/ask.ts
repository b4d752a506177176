import type pg from 'pg';

/**
 * Sends one statement in pg's callback form. The closure of pg's own promise lives in V8's old
 * space: until a major collection it retains the request that waits for the answer.
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
    // The stack of pg ends in the socket's listener; this stack shows the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
