import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { ComparedSignalsSchema, SignalsSchema } from './schema.ts';
import type { SignalService } from './service.ts';

const about = 'Of exam sessions with `has_signals`, for as long as recordings are kept.';

/** Signals about attempts of exam sessions. */
export const signalRoutes =
  (signals: SignalService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/exam-sessions/:id/signals', {
      config: { access: 'user' },
      schema: {
        tags: ['exam sessions'],
        summary: 'Signals about the attempts of an exam session that have ended, and whose commands are alike',
        description: 'For those who supervise it. At most the 1,000 newest attempts. They change no grade.',
        params: IdParams,
        response: { 200: Type.Array(ComparedSignalsSchema), ...errors(401, 403, 404) },
      },
      handler: (request) => signals.ofSession(callerOf(request), request.params.id),
    });

    app.get('/api/instructor/attempts/:id/signals', {
      config: { access: 'instructor' },
      schema: {
        tags: ['instructors'],
        summary: 'Signals about an attempt',
        description: about,
        params: IdParams,
        response: { 200: SignalsSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => signals.ofAttempt(callerOf(request), request.params.id, true),
    });

    app.get('/api/exams/attempts/:id/signals', {
      config: { access: 'user' },
      schema: {
        tags: ['exams'],
        summary: "What was counted during the caller's attempt",
        description: `Once the results are shown. ${about}`,
        params: IdParams,
        response: { 200: SignalsSchema, ...errors(401, 404) },
      },
      handler: (request) => signals.ofAttempt(callerOf(request), request.params.id, false),
    });
  };
