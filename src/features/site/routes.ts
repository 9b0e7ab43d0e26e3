import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { unchanged } from '../../http/protocol/entity-tag.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { SiteSchema } from './schema.ts';
import type { SiteService } from './service.ts';

export const siteRoutes =
  (site: SiteService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/site', {
      config: { access: 'public', hasEntityTag: true },
      schema: {
        tags: ['system'],
        summary: 'How the installation presents itself',
        description: 'The same for everybody.',
        response: { 200: SiteSchema, ...unchanged, ...errors() },
      },
      handler: () => site.site(),
    });
  };
