import { hostileBodies } from './hostile-bodies.ts';
import type { CallTarget, HostileCall } from './hostile-call.ts';
import { hostileHeads } from './hostile-heads.ts';

export function hostileCalls(target: CallTarget): readonly HostileCall[] {
  return [
    { name: 'no hostile part, for comparison', path: '/console/sign-in' },
    ...hostileHeads(target),
    ...hostileBodies(target),
  ];
}
