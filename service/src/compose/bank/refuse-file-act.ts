import { FileActRefused } from '#e-transfer/file-act-refused.ts';
import { Refusal } from '#merchants/operator-fault.ts';

/** @throws Refusal, which commands and pages can show, in place of the network's refusal */
export function refuseFileAct(error: unknown): never {
  throw error instanceof FileActRefused ? new Refusal(error.code, error.values) : error;
}
