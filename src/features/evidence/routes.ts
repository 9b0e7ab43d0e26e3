import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { EvidenceKeeper } from './keeper.ts';
import { EvidenceSchema, toEvidence } from './schema.ts';

/** What attempts left when they ended, for staff. */
export const evidenceRoutes =
  (evidence: EvidenceKeeper): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['instructors'];
    const path = '/api/instructor/attempts/:id/evidence';

    app.get(path, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Download what an attempt left when it ended',
        description:
          'A tar archive: the files of its machine that the image does not have, the outputs of the checks, the recordings, the events, and a signed manifest. `npm run verify-evidence` checks it. It is kept for `EVIDENCE_DAYS`: 404 `evidence_gone` before the end of the attempt and afterwards.',
        params: IdParams,
        response: {
          200: { description: 'The archive.', content: { 'application/x-tar': { schema: Type.String() } } },
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const { bytes, content } = await evidence.open(callerOf(request), id);
        return (
          reply
            .header('Content-Disposition', `attachment; filename="attempt-${id}-evidence.tar"`)
            .header('Content-Length', bytes)
            .type('application/x-tar')
            // The types declare the answer as text, but it is streamed.
            .send(Readable.from(content) as unknown as string)
        );
      },
    });

    app.get(`${path}/summary`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'What is kept of what an attempt left',
        params: IdParams,
        response: { 200: EvidenceSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id } = request.params;
        return toEvidence(id, await evidence.summary(callerOf(request), id), evidence);
      },
    });
  };
