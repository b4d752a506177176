import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasMoreThan, MOST_FIELDS } from './count-fields.ts';
import { tooManyFields } from './read-forms.ts';

const MULTIPART = 'multipart/form-data';
/** The lines of a part: its boundary, three headers at most, an empty line, its value. */
const LINES_OF_A_FIELD = 6;

/**
 * Reads forms that send a file, beside the other forms of a scope. The platform's own parser reads
 * the parts, in memory and within the limit of the body. A file becomes a member of the form, as
 * base64; an empty choice is left out.
 *
 * @param options `isOfLines`: the file is a text, whose lines are not those of many parts
 */
export function readFormsWithFiles(
  scope: FastifyInstance,
  { isOfLines }: { readonly isOfLines: boolean },
): void {
  scope.addContentTypeParser(
    MULTIPART,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (hasManyParts(body, isOfLines)) throw tooManyFields();
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const form = new URLSearchParams();
      const parts = await new Response(new Uint8Array(body), { headers })
        .formData()
        .catch(() => new FormData());
      for (const [name, value] of parts) {
        if (typeof value === 'string') form.append(name, value);
        else if (value.size > 0) {
          form.append(name, Buffer.from(await value.arrayBuffer()).toString('base64'));
        }
      }
      return form;
    },
  );
}

/** Counts the boundaries, and the lines: one part could have thousands of headers. */
function hasManyParts(body: Buffer, isOfLines: boolean): boolean {
  if (hasMoreThan(body, '\r\n--', MOST_FIELDS)) return true;
  return !isOfLines && hasMoreThan(body, '\r\n', MOST_FIELDS * LINES_OF_A_FIELD);
}
