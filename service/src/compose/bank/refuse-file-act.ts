import { FileActRefused } from '#e-transfer/file-act-refused.ts';
import { Refusal } from '#merchants/operator-fault.ts';

/** @throws Refusal in place of the network's refusal, which knows no languages of people */
export function refuseFileAct(error: unknown): never {
  throw error instanceof FileActRefused ? new Refusal(error.code, error.values) : error;
}
