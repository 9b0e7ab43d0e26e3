import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { errors } from '../../http/schemas.ts';
import { ActivitySchema, AnalyticsQuery, AnalyticsSchema, activityTypes, StatsSchema } from './schema.ts';
import type { DashboardStore, Reader } from './store.ts';

const readerOf = (caller: Caller): Reader => ({ userId: caller.id, seesInactive: caller.role === 'admin' });

export const dashboardRoutes =
  (dashboard: DashboardStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['dashboard'];

    app.get('/api/dashboard/stats', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's figures",
        description: 'Counts the themes that the caller sees: those of active courses and sections.',
        response: { 200: StatsSchema, ...errors(401) },
      },
      handler: (request) => dashboard.stats(readerOf(callerOf(request))),
    });

    app.get('/api/dashboard/activity', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The activity of the caller, newest first',
        querystring: PageQuery,
        response: { 200: Type.Array(ActivitySchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await dashboard.activity(callerOf(request).id, activityTypes, page);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.get('/api/dashboard/analytics', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's days, courses and scores, ready to plot",
        querystring: AnalyticsQuery,
        response: { 200: AnalyticsSchema, ...errors(401) },
      },
      handler: (request) => dashboard.analytics(readerOf(callerOf(request)), request.query.days ?? 30),
    });
  };
