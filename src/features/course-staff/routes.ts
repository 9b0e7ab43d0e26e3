import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { courseDoor as door } from '../../http/access/doors.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { userChoiceOf } from '../../http/lists/user-choice.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import { coursePath } from '../../values/course-policies.ts';
import { NewCourse } from '../lessons/schema.ts';
import {
  CourseCopy,
  GrantFields,
  GrantsSchema,
  NewStaff,
  StaffChange,
  StaffSchema,
  TeachingCourseSchema,
} from './schema.ts';
import type { CourseService } from './service.ts';
import type { CourseStaffStore } from './store.ts';

const tags = ['teaching'];
const path = '/api/teaching/courses';
const CourseParams = Type.Object({ course_id: Id });

/** Courses, for those who teach them. */
export const teachingCourseRoutes =
  (
    courses: CourseService<Static<typeof NewCourse>>,
    staff: Pick<CourseStaffStore, 'courses'>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readNew = queryOrBody(NewCourse);
    const readChange = queryOrBody(Type.Partial(NewCourse));
    const readCopy = queryOrBody(CourseCopy);

    app.get(path, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'The courses that the caller teaches, drafts included',
        description: 'Administrators get all courses.',
        querystring: PageQuery,
        response: { 200: Type.Array(TeachingCourseSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => staff.courses(callerOf(request), page)),
    });

    app.post(path, {
      config: { access: 'instructor', fields: NewCourse },
      schema: {
        tags,
        summary: 'Create a course and become its owner',
        description:
          'Without a `slug`, one is derived from the name. 403 for instructors with `COURSE_CREATORS=admins`. 409: the slug is taken.',
        response: { 201: TeachingCourseSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await courses.create(callerOf(request), readNew(request))),
    });

    app.post(`${coursePath}/copy`, {
      config: { ...door.allows('copy', 'change'), fields: CourseCopy },
      schema: {
        tags,
        summary: 'Copy a course, such as for another term, and become the owner of the copy',
        description:
          'The copy has the sections, lessons, exams and laboratories with their tasks, scripts and files, the openings, and what the course may use. It is hidden, and its exams and laboratories are drafts. Classes, staff, attempts and progress stay where they are. Lessons of a repository are read from the same one; that and the images of its own stay those of the course. For owners; 403 for instructors with `COURSE_CREATORS=admins`. 409: `catalogue_full`, `files_full`, or `image_not_usable` for an image that was removed.',
        params: CourseParams,
        response: { 201: TeachingCourseSchema, ...door.refusals, ...errors(409, 415) },
      },
      handler: async (request, reply) => {
        const made = await courses.copy(callerOf(request), request.params.course_id, readCopy(request));
        return reply.code(201).send(made);
      },
    });

    app.get(coursePath, {
      config: door.allows('course', 'read'),
      schema: {
        tags,
        summary: 'A course, for its staff',
        params: CourseParams,
        response: { 200: TeachingCourseSchema, ...door.refusals },
      },
      handler: async (request) => await courses.get(callerOf(request), request.params.course_id),
    });

    app.put(coursePath, {
      config: {
        ...door.allows('course', 'change'),
        fields: NewCourse,
        readOnly: {
          fields: ['id', 'my_role'],
          read: (request) => courses.get(callerOf(request), (request.params as { course_id: number }).course_id),
        },
      },
      schema: {
        tags,
        summary: 'Change a course',
        description:
          'Omitted fields are unchanged. `template_id` is one that the course may use; `repository_id` null is the default repository, another one is chosen by administrators. 409: the slug is taken.',
        params: CourseParams,
        response: { 200: TeachingCourseSchema, ...door.refusals, ...errors(409, 415) },
      },
      handler: async (request) =>
        await courses.update(callerOf(request), request.params.course_id, readChange(request)),
    });

    app.delete(coursePath, {
      config: door.allows('course', 'delete'),
      schema: {
        tags,
        summary: 'Delete a course',
        description:
          'For its owners. Its sections, its themes and their progress are deleted with it. Its exams and laboratories are retired, and administrators keep them. `POST /api/deletions/undo` restores all of it.',
        params: CourseParams,
        response: { 200: Done, ...door.refusals },
      },
      handler: async (request) =>
        await done(courses.delete(callerOf(request), request.params.course_id), 'Course deleted'),
    });
  };

/** Who teaches a course. */
export const courseStaffRoutes =
  (staff: CourseStaffStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const MemberParams = Type.Object({ course_id: Id, user_id: Id });

    app.get(`${coursePath}/staff`, {
      config: door.allows('staff', 'read'),
      schema: {
        tags,
        summary: 'The staff of a course, by username',
        params: CourseParams,
        querystring: PageQuery,
        response: { 200: Type.Array(StaffSchema), ...door.refusals },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => staff.list(request.params.course_id, page)),
    });

    app.post(`${coursePath}/staff`, {
      config: door.allows('staff', 'change'),
      schema: {
        tags,
        summary: 'Add a colleague to the staff of a course',
        description:
          'By `user_id`, or by `username`, which takes the email address as well. An owner does everything, also with the staff; an editor changes the content; a viewer reads it with its scripts. 409: `already_staff`. 422: the user is a student.',
        params: CourseParams,
        body: NewStaff,
        response: { 201: StaffSchema, ...door.refusals, ...errors(409, 415) },
      },
      handler: async (request, reply) => {
        const { course_id } = request.params;
        const { role, ...named } = request.body;
        return reply.code(201).send(await staff.add(callerOf(request), course_id, userChoiceOf(named), role));
      },
    });

    app.put(`${coursePath}/staff/:user_id`, {
      config: door.allows('staff', 'change'),
      schema: {
        tags,
        summary: 'Change the role of one of the staff of a course',
        description: '409 `last_owner`: nobody else owns the course.',
        params: MemberParams,
        body: StaffChange,
        response: { 200: StaffSchema, ...door.refusals, ...errors(409, 415) },
      },
      handler: async (request) => {
        const { course_id, user_id } = request.params;
        return await staff.setRole(callerOf(request), course_id, user_id, request.body.role);
      },
    });

    app.delete(`${coursePath}/staff/:user_id`, {
      config: door.allows('staff', 'delete'),
      schema: {
        tags,
        summary: 'Remove one of the staff of a course, or leave it',
        description: 'Everybody can leave. 409 `last_owner`: nobody else owns the course.',
        params: MemberParams,
        response: { 200: Done, ...door.refusals, ...errors(409) },
      },
      handler: async (request) => {
        const { course_id, user_id } = request.params;
        return await done(staff.remove(callerOf(request), course_id, user_id), 'Removed from the staff of the course');
      },
    });
  };

type Grants = {
  of: (courseId: number) => Promise<Static<typeof GrantsSchema>>;
  change: (
    actorId: number,
    courseId: number,
    change: Static<typeof GrantFields>,
  ) => Promise<Static<typeof GrantsSchema>>;
};

/** What a course may use. */
export const courseGrantRoutes =
  (grants: Grants): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readChange = queryOrBody(GrantFields);

    app.get(`${coursePath}/grants`, {
      config: door.allows('grants', 'read'),
      schema: {
        tags,
        summary: 'What a course may use: images, sandbox templates, internet and root',
        params: CourseParams,
        response: { 200: GrantsSchema, ...door.refusals },
      },
      handler: async (request) => await grants.of(request.params.course_id),
    });

    app.put('/api/admin/lessons/courses/:course_id/grants', {
      config: { access: 'admin', fields: GrantFields },
      schema: {
        tags: ['admin'],
        summary: 'Grant a course what its staff may use',
        description:
          'Omitted fields are unchanged. What exams, laboratories and lessons of the course use already stays when a grant is withdrawn.',
        params: CourseParams,
        response: { 200: GrantsSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) =>
        await grants.change(callerOf(request).id, request.params.course_id, readChange(request)),
    });
  };
