import type { FastifyInstance, FastifyRequest } from 'fastify';

const MULTIPART = 'multipart/form-data';

/**
 * Reads forms that send a file. The platform's own parser reads the parts, in memory and within the
 * limit of the body. A file becomes a member of the form, as base64; an empty choice is left out.
 */
export function readFormsWithFiles(scope: FastifyInstance, bodyLimit: number): void {
  scope.addContentTypeParser(
    MULTIPART,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) => {
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
