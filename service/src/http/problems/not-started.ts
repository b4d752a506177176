import { Problem } from '#lib/problem.ts';

/** A refusal before any work on the call: the caller may safely send it again. */
export class NotStarted extends Problem {}
