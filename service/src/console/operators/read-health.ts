import { listSigningKeyStates } from '#access/signing-keys/list.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { readSchemaState, SchemaFault, type SchemaState } from '#database/schema/schema-state.ts';
import { readDoctorRun } from '#doctor/keep-last-run.ts';
import { readChannels } from '#messages/read/list-messages.ts';
import { listTroubledEndpoints } from '#webhooks/inspection/list-troubled.ts';

export type Health = Awaited<ReturnType<typeof readHealth>>;

/** All that the health page shows. */
export async function readHealth(deps: ConsoleDeps) {
  const { db, operators, messaging } = deps;
  const [unready, schema, doctor, keys, endpoints, all, gauges] = await Promise.all([
    operators.unreadyBecause(),
    schemaOf(deps),
    readDoctorRun({ db }),
    listSigningKeyStates(deps),
    listTroubledEndpoints({ db }),
    readChannels(db),
    operators.readGauges(),
  ]);
  const values = Object.assign({}, ...gauges.values()) as Readonly<Record<string, unknown>>;
  const { version } = operators;
  const channels = all.filter(({ channel }) => messaging.channels.includes(channel));
  const loops = operators.loops();
  return { unready, schema, doctor, keys, endpoints, channels, values, version, loops };
}

/** A database of other files, or of a later version: the sentence says so. */
async function schemaOf({ db }: ConsoleDeps): Promise<SchemaState | string> {
  try {
    return await readSchemaState(db);
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    throw error;
  }
}
