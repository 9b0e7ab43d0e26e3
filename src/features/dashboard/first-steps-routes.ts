import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors } from '../../http/protocol/schemas.ts';
import type { FirstSteps } from './first-steps.ts';
import { FirstStepSchema } from './schema.ts';

export const firstStepsRoutes =
  (steps: FirstSteps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/first-steps', {
      config: { access: 'instructor' },
      schema: {
        tags: ['dashboard'],
        summary: 'What to do first in a new installation, and what is done',
        description:
          'For administrators the steps of the installation, for instructors those of their own classes. The list has a fixed order.',
        response: { 200: Type.Array(FirstStepSchema), ...errors(401, 403) },
      },
      handler: async (request) => await steps.of(callerOf(request)),
    });
  };
