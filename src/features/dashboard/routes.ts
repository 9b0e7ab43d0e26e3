import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { InvalidError, NotFoundError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { csvAnswer, sendCsv } from '../../http/lists/csv-answer.ts';
import {
  byId,
  CursorQuery,
  cursorPageOf,
  PageQuery,
  pageOf,
  setCursorHeaders,
  setPageHeaders,
} from '../../http/lists/paging.ts';
import { SerializedLists, sendTagged, type TaggedAnswer, toAnswer } from '../../http/protocol/entity-tag.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { activityCsv } from './activity-csv.ts';
import type { CourseAssessments } from './course-assessments.ts';
import type { FirstSteps } from './first-steps.ts';
import { coursesOfPage, type OpenCatalogue, type OpenCourse } from './open-catalogue.ts';
import {
  ActivitySchema,
  AnalyticsQuery,
  AnalyticsSchema,
  activityTypes,
  CourseAssessmentSchema,
  CoursePlaceQuery,
  FirstStepSchema,
  OpenCourseSchema,
  StatsSchema,
} from './schema.ts';
import type { Analytics, Statistics } from './statistics.ts';
import type { DashboardStore } from './store.ts';

export const dashboardRoutes =
  (
    dashboard: DashboardStore,
    statistics: Statistics<TaggedAnswer>,
    analytics: Analytics,
    subjects: CourseAssessments,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['dashboard'];

    app.get('/api/dashboard/stats', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: "The caller's figures",
        description: 'Counts the themes that the caller sees: those of active courses and sections.',
        response: { 200: StatsSchema, ...errors(401) },
      },
      handler: async (request, reply) => {
        const answer = await statistics.answer(callerOf(request), (figures) =>
          toAnswer(reply.serializeInput(figures, '200') as string),
        );
        return await sendTagged(request, reply, answer);
      },
    });

    app.get('/api/dashboard/course-subjects', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The laboratories and exams of a course, and which of them the caller has passed',
        description:
          'The course is named by `course_id`, or by `section_id`, one of its sections. 422 without either. Laboratories in the order of their sections, then exams.',
        querystring: CoursePlaceQuery,
        response: { 200: Type.Array(CourseAssessmentSchema), ...errors(401, 404) },
      },
      handler: (request) => {
        const { course_id: courseId, section_id: sectionId, is_optional } = request.query;
        if (courseId === undefined && sectionId === undefined)
          throw new InvalidError([{ loc: ['query', 'course_id'], msg: 'Field required', type: 'missing' }]);
        return subjects.of(callerOf(request), { courseId, sectionId }).catch((error: unknown) => {
          if (is_optional && error instanceof NotFoundError) return [];
          throw error;
        });
      },
    });

    app.get('/api/dashboard/activity', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The activity of the caller, newest first',
        querystring: CursorQuery,
        response: { 200: Type.Array(ActivitySchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const page = cursorPageOf(request, request.query);
        const listed = await dashboard.activity(callerOf(request).id, activityTypes, page);
        setCursorHeaders(request, reply, page, listed, byId);
        return listed.rows;
      },
    });

    app.get('/api/dashboard/activity/export', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The activity of the caller as a CSV',
        description:
          'Columns `time,type,title`, with all entries of the list. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
        response: { 200: csvAnswer('The activity, newest first.'), ...errors(401) },
      },
      handler: async (request, reply) => sendCsv(reply, 'activity', activityCsv(dashboard, callerOf(request).id)),
    });

    app.get('/api/dashboard/analytics', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: "The caller's days, courses and scores, ready to plot",
        querystring: AnalyticsQuery,
        response: { 200: AnalyticsSchema, ...errors(401) },
      },
      handler: (request) => analytics.of(callerOf(request), request.query.days ?? 30),
    });
  };

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

/** The page size of the front page. Answers of other sizes are not kept. */
const keptSize = 25;

export const openCatalogueRoutes =
  (catalogue: OpenCatalogue): FastifyPluginAsyncTypebox =>
  async (app) => {
    const kept = new SerializedLists<OpenCourse>();

    app.get('/api/catalogue', {
      config: { access: 'public', hasEntityTag: true },
      schema: {
        tags: ['dashboard'],
        summary: 'The courses of the front page, for visitors without an account',
        description:
          '404 unless `has_public_courses` of `GET /api/site` is true. Active courses with their active sections and the titles of their themes, without texts. ' +
          'Courses for classes only are left out. The answer is the same for everybody.',
        querystring: PageQuery,
        response: { 200: Type.Array(OpenCourseSchema), ...errors(404) },
      },
      handler: async (request, reply) => {
        const courses = await catalogue.courses();
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, courses.length);
        const shown = coursesOfPage(courses, page);
        const serialize = (): string =>
          reply.serializeInput(shown as unknown as Record<string, unknown>, '200') as string;
        const isKept = page.limit === keptSize && shown.length > 0;
        const answer = isKept ? kept.of(courses, String(page.offset), serialize) : toAnswer(serialize());
        return await sendTagged(request, reply, answer);
      },
    });
  };
