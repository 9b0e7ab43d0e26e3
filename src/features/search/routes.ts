import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { SearchQuery, SearchResults } from './schema.ts';
import type { SearchService } from './service.ts';

export const searchRoutes =
  (searches: SearchService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/search', {
      config: { access: 'user' },
      schema: {
        tags: ['search'],
        summary: 'Search lessons, laboratories, exams and own notes',
        description:
          'What the caller sees, by kind, the best matches of each first: up to 8 lessons and 5 of each other kind. Administrators also find ' +
          'users; instructors find the students whom they see; both find attempts by their users. A changed lesson is found a few seconds later.',
        querystring: SearchQuery,
        response: { 200: SearchResults, ...errors(401, 503) },
      },
      handler: async (request) => ({ results: await searches.search(callerOf(request), request.query.q) }),
    });
  };
