import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { PlatformGradeStore } from './grade-store.ts';
import type { PlatformMemberStore } from './member-store.ts';
import { ClassCourseParams, ClassCourseSchema } from './schema.ts';

/** The courses of platforms that a class follows. */
export const classLtiRoutes =
  (members: PlatformMemberStore, grades: PlatformGradeStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/classes/:id/lti-courses';
    const config = { access: 'user' } as const;
    const tags = ['classes'];

    app.get(path, {
      config,
      schema: {
        ...{ tags, summary: 'The courses of learning platforms that a class follows', params: IdParams },
        description: 'For the staff of the class. Empty for most classes; at most 100.',
        response: { 200: Type.Array(ClassCourseSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => await members.ofClass(callerOf(request), request.params.id),
    });

    app.post(`${path}/:course_id/synchronize`, {
      config,
      schema: {
        ...{ tags, summary: 'Read the members of a course now, and send its grades again', params: ClassCourseParams },
        description:
          'In the background, within a minute. Grades that the platform has not taken are sent again. For instructors of the class and administrators.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, course_id } = request.params;
        const repeat = async () => {
          await members.repeat(callerOf(request), id, course_id);
          await grades.repeat(course_id);
        };
        return await done(repeat(), 'Synchronization begun');
      },
    });
  };
