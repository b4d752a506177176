import { type ShownStatus, type StatusKind, statusWord } from '#console/components/badges.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import type { ListFilter, ListTabs } from './list-spec.ts';

type Statuses<Status extends string> = Readonly<Record<Status, number>>;

/** Tabs by the filter `status`, each with its statuses; the tab `all` has every status. */
export function statusTabs<Status extends string>(
  tabs: Readonly<Record<string, readonly Status[]>>,
  /** `read` gives null where there are too many to count. */
  {
    most,
    read,
  }: Pick<ListTabs, 'most'> & {
    readonly read: (db: Executor, visit: Visit) => Promise<Statuses<Status> | null>;
  },
): ListTabs {
  const all = Object.entries({ all: [], ...tabs });
  return {
    queries: Object.fromEntries(
      all.map(([name, statuses]) => [name, statuses.map((each) => `status=${each}`).join('&')]),
    ),
    most,
    async count(db, visit) {
      const counts = await read(db, visit);
      if (counts === null) return {};
      const sumOf = (statuses: readonly Status[]) =>
        statuses.reduce((sum, status) => sum + counts[status], 0);
      const numbers = Object.entries(tabs).map(([name, statuses]) => [name, sumOf(statuses)]);
      return { ...Object.fromEntries(numbers), all: sumOf(Object.keys(counts) as Status[]) };
    },
  };
}

/** The filter by statuses of a kind. */
export function statusFilter(
  kind: StatusKind,
  options: readonly string[],
  form: 'choice' | 'choices' = 'choices',
): ListFilter {
  return {
    name: 'status',
    form,
    options,
    wordOf: (language, value) => statusWord(language, `${kind}.${value}` as ShownStatus),
  };
}
