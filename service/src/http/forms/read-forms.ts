import type { FastifyInstance } from 'fastify';
import { Problem } from '#lib/problem.ts';
import { hasMoreThan, MOST_FIELDS } from './count-fields.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Makes a scope read URL-encoded forms as `URLSearchParams`, and no other body. Each route names
 * its `bodyLimit`.
 */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) => {
    const text = body as string;
    if (hasMoreThan(text, '&', MOST_FIELDS - 1)) return done(tooManyFields());
    done(null, new URLSearchParams(text));
  });
}

export function tooManyFields(): Problem {
  return new Problem('PAYLOAD_TOO_LARGE', { detail: `A form has at most ${MOST_FIELDS} fields.` });
}
