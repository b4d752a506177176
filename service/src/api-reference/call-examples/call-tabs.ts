import { codeBlock } from '#http/pages/code-block.ts';
import { codeTabs } from '#http/pages/code-tabs.ts';
import type { Entry } from '../list-entries.ts';
import { describeCall, type ExampleSource } from './describe-call.ts';
import { LANGUAGES } from './languages.ts';

/** A call in each language, behind tabs; the secrets come from variables of the environment. */
export function callTabs(source: ExampleSource, entry: Entry): string {
  const call = describeCall(source, entry);
  const name = `${entry.method} ${entry.path}`;
  const panels = LANGUAGES.map(({ label, highlighted, render }) => ({
    label,
    body: codeBlock(render(call), highlighted, name),
  }));
  return codeTabs('language', 'Language', panels);
}
