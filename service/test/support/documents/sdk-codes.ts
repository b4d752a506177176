import { FIELD_FAULT_CODES, PROBLEM_CODES } from '#lib/problem.ts';
import { RefundSimulationSchema, SimulationSchema } from '#sandbox/simulation-schemas.ts';

/** The codes of refusals as types of the SDK, which imports nothing of the service. */
export function renderSdkCodes(): string {
  return `// Written by \`npm run docs\` from the codes of the service; a test fails while it is stale.

/** The codes of problems; each has a page of its own (\`ProblemError.type\`). */
${unionOf('ProblemCode', PROBLEM_CODES)}
/** The codes of faults in fields. */
${unionOf('FieldFaultCode', FIELD_FAULT_CODES)}
/** The reasons that the sandbox can give a FAILED payment request. */
${unionOf('SimulatedReasonCode', SimulationSchema.properties.reason.enum)}
/** The reasons that the sandbox can give a FAILED refund. */
${unionOf('SimulatedRefundReasonCode', RefundSimulationSchema.properties.reason.enum)}`;
}

function unionOf(name: string, members: readonly string[]): string {
  return `export type ${name} =\n${members.map((each) => `  | '${each}'`).join('\n')};\n`;
}
