import { type FieldFault, Problem } from './problem.ts';

/**
 * The first fault of each field, in the order of the faults; null is no fault. A caller corrects a
 * field once: further faults of the field mostly follow from the first.
 */
export function firstFaults(faults: Iterable<FieldFault | null>): FieldFault[] {
  const first = new Map<string, FieldFault>();
  for (const fault of faults) {
    if (fault && !first.has(fault.field)) first.set(fault.field, fault);
  }
  return [...first.values()];
}

/** @throws Problem VALIDATION_ERROR with the first fault of each field, if there are faults */
export function throwFaults(faults: Iterable<FieldFault | null>): void {
  const errors = firstFaults(faults);
  if (errors.length > 0) throw new Problem('VALIDATION_ERROR', { errors });
}
