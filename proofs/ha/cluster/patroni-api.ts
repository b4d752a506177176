import { MACHINES, type MachineName, type MachinePorts } from './deployment-files.ts';

/** A member of the cluster, as Patroni tells it. */
export interface Member {
  readonly name: MachineName;
  readonly role: 'leader' | 'sync_standby' | 'replica' | string;
  /** `running` and `streaming` are good. */
  readonly state: string;
  readonly timeline?: number;
}

/** All members, as one of them tells it. */
export type View = readonly Member[];

/** Patroni answers from its memory; a frozen one does not answer. */
const ANSWER_MS = 2_000;

/**
 * The cluster as each machine tells it; null: the machine does not answer. Views differ for seconds
 * after a change, and a machine that hung tells an old one.
 */
export async function readViews(
  ports: Readonly<Record<MachineName, MachinePorts>>,
): Promise<readonly (View | null)[]> {
  const asked = MACHINES.map(async (name) => {
    const url = `http://127.0.0.1:${ports[name].restApi}/cluster`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { members } = (await answer.json()) as { members: View };
    return members;
  });
  return Promise.all(asked.map((view) => view.catch(() => null)));
}

/** The newest view: the view of the leader with the highest timeline; null: nothing leads. Pure. */
export function newestView(views: readonly (View | null)[]): View | null {
  const timelineOf = (view: View | null) =>
    view?.find(({ role }) => role === 'leader')?.timeline ?? 0;
  const newest = Math.max(...views.map(timelineOf));
  return views.find((view) => newest > 0 && timelineOf(view) === newest) ?? null;
}

/** The leader of a cluster in good order, on which all three machines agree; else null. Pure. */
export function agreedLeader(views: readonly (View | null)[]): Member | null {
  const leaders = views.map(leaderOf);
  const [first] = leaders;
  const isAgreed = leaders.every(
    (each) => each?.name === first?.name && each?.timeline === first?.timeline,
  );
  return isAgreed && views.length === MACHINES.length ? (first ?? null) : null;
}

/**
 * Finds the leader of a cluster in good order. Such a cluster has a synchronous standby, and every
 * machine is on the leader’s timeline. null: the cluster is in another state. Pure.
 */
export function leaderOf(members: View | null): Member | null {
  if (members?.length !== MACHINES.length) return null;
  const leader = members.find(({ role }) => role === 'leader');
  const isWhole = members.every(
    ({ state, timeline }) =>
      ['running', 'streaming'].includes(state) && timeline === leader?.timeline,
  );
  const hasStandby = members.some(({ role }) => role === 'sync_standby');
  return leader && isWhole && hasStandby ? leader : null;
}
