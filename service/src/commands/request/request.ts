import { defineNoun } from '#commands/cli/define-command.ts';
import { cancel } from './cancel.ts';
import { show } from './show.ts';

/** `payreq request`: every command about payment requests. */
export const requestCommand = defineNoun('payment requests, by any of their references', {
  show,
  cancel,
});
