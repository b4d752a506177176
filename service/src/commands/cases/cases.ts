import { defineNoun } from '#commands/cli/define-command.ts';
import { list, show } from './read.ts';
import { accept, assign, close, refund, replace, split } from './settle.ts';

/** `payreq cases`: every command about operator cases. */
export const casesCommand = defineNoun(
  'matters of money that only a person can settle (docs/operations/cases.md)',
  { list, show, accept, assign, refund, replace, split, close },
);
