import { Problem } from '#lib/problem.ts';

/** @throws Problem ROUTE_NOT_FOUND where the address names nothing that the person may know of */
export function known<Found>(found: Found | null | undefined): Found {
  if (found === null || found === undefined) throw new Problem('ROUTE_NOT_FOUND');
  return found;
}
