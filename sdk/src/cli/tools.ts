import { listen } from './listen.ts';
import { trigger } from './trigger.ts';
import { verifyListener } from './verify-listener.ts';

export { InputFault, type Tool, ToolFault, type ToolInput, type ToolShell } from './tool.ts';

/** Every tool, in the order of the help. */
export const TOOLS = { listen, trigger, 'verify-listener': verifyListener };
