import { readSchema } from '#database/schema/schema-catalogue.ts';
import { createTestDatabase } from '../database.ts';

/** The schema that the migrations make, as `payreq doctor` compares it with a database's. */
export async function renderSchema(): Promise<string> {
  const database = await createTestDatabase('sandbox');
  try {
    return `${JSON.stringify(await readSchema(database.db), null, 2)}\n`;
  } finally {
    await database.drop();
  }
}
