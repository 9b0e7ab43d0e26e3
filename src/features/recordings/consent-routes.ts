import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors, Nullable, NullableTimestamp } from '../../http/protocol/schemas.ts';
import type { ConsentStore } from './consent-store.ts';

const ConsentSchema = Type.Object(
  {
    is_required: Type.Boolean({
      description: 'Whether the installation records only who agrees. False: terminals of exams are recorded.',
    }),
    version: Type.Integer({ description: 'Of the text with which the pages ask.' }),
    recording_days: Type.Integer({ description: 'Days that a recording is stored after its end: `RECORDING_DAYS`.' }),
    is_given: Nullable(Type.Boolean({ description: 'Null: the caller has not decided about this text.' })),
    decided_at: { ...NullableTimestamp, description: 'When the caller decided. Null: not at all.' },
  },
  { title: 'RecordingConsent' },
);
const Decision = Type.Object(
  { is_given: Type.Boolean({ description: 'Whether the caller agrees to recordings.' }) },
  { title: 'RecordingDecision' },
);

/** Whether the caller agrees to recordings of terminals. */
export const recordingConsentRoutes =
  (consents: ConsentStore, recording_days: number): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/profile/recording-consent';
    const tags = ['profile'];

    app.get(path, {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: "The caller's consent to recordings" },
        response: { 200: ConsentSchema, ...errors(401) },
      },
      handler: async (request) => ({ ...(await consents.of(callerOf(request).id)), recording_days }),
    });

    app.put(path, {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'Agree to recordings, or decline them', body: Decision },
        description:
          'For terminals that are opened from then on. Where `is_required`, who has not agreed takes exams all the same, without recordings.',
        response: { 200: ConsentSchema, ...errors(401, 403, 415) },
      },
      handler: async (request) => {
        const consent = await consents.decide(callerOf(request), request.body.is_given);
        return { ...consent, recording_days };
      },
    });
  };
