import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import { readPage } from '../../http/lists/paging.ts';
import { orderOf } from '../../http/lists/sorting.ts';
import { userChoiceOf } from '../../http/lists/user-choice.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { acceptTables, TableBody, tableTypes } from '../../http/protocol/media-types.ts';
import { errors, Id, IdParams, OneOf } from '../../http/protocol/schemas.ts';
import { checkedBy } from '../../http/protocol/validation.ts';
import { InvitationSchema, SessionSchema, toUser } from '../auth/schema.ts';
import { choiceOf, ImportCheckSchema, RosterQuery } from '../tables/table-schema.ts';
import type { MemberChoice, MemberImport } from './member-import.ts';
import type { ClassMemberStore } from './member-store.ts';
import {
  ImportedMemberSchema,
  ImportedRole,
  ImportedStudent,
  MemberChange,
  MemberListQuery,
  MemberSchema,
  NewMember,
} from './schema.ts';
import type { Begun, StudentViewStore } from './student-view-store.ts';

const MemberParams = Type.Object({ id: Id, user_id: Id });

/** The members of a class. */
export const classMemberRoutes =
  (members: ClassMemberStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/members';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The members of a class, by username or by `sort`',
        description: 'Not for students.',
        params: IdParams,
        querystring: MemberListQuery,
        response: { 200: Type.Array(MemberSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const { params, query } = request;
        const order = orderOf(query, { by: 'username', isDescending: false });
        return await readPage(request, reply, (page) =>
          members.list(callerOf(request), params.id, { ...query, order }, page),
        );
      },
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Add a user to a class',
        description:
          'With `user_id` or `username`; as a student by default. For instructors of the class and administrators.',
        params: IdParams,
        body: NewMember,
        response: { 201: MemberSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { body, params } = request;
        const member = await members.add(callerOf(request), params.id, userChoiceOf(body), body.role ?? 'student');
        return reply.code(201).send(member);
      },
    });

    app.put(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "Change a member's role in a class",
        description: 'The role of the user outside the class stays. For instructors of the class and administrators.',
        params: MemberParams,
        body: MemberChange,
        response: { 200: MemberSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await members.setRole(callerOf(request), id, user_id, request.body.role);
      },
    });

    app.post(`${path}/:user_id/invitation`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Issue an invitation to a member without a password',
        description:
          'For students whose account an import has created and who have not set a password yet. The answer has the code only this once; an earlier one becomes invalid. For instructors of the class and administrators.',
        params: MemberParams,
        response: { 201: InvitationSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request, reply) => {
        const { id, user_id } = request.params;
        return reply.code(201).send(await members.invite(callerOf(request), id, user_id));
      },
    });

    app.delete(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Remove a member from a class, or leave it',
        description:
          "The member's attempts and progress are kept. Others than the caller are removed by instructors of the class and administrators.",
        params: MemberParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await done(members.remove(callerOf(request), id, user_id), 'Member removed');
      },
    });
  };

const MemberTableQuery = Type.Object({
  ...RosterQuery.properties,
  passwords: Type.Optional(OneOf('generated', 'invitations')),
});

const memberChoiceOf = ({ passwords = 'generated', ...rest }: Static<typeof MemberTableQuery>): MemberChoice => ({
  ...choiceOf(rest),
  passwords,
});

type ViewTokens = { tokenForView: (view: string, expiresAt: Date) => string };

const toSession = ({ view, student }: Begun, tokens: ViewTokens) => ({
  access_token: tokens.tokenForView(view.id, view.expires_at),
  token_type: 'bearer' as const,
  expires_in: Math.round((Number(view.expires_at) - Number(view.started_at)) / 1000),
  // When the student logs in is not for teachers.
  user: { ...toUser(student), last_login_at: null },
});

/** The pages of a student of a class, as an instructor of it sees them for some minutes. */
export const studentViewRoutes =
  (views: StudentViewStore, tokens: ViewTokens): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/classes/:id/members/:user_id/view';

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: "Look at a student's pages",
        description:
          'Returns a token that reads what the pages of the student show, for 15 minutes, and that nobody can refresh. Everything else is 403 `student_view`. It ends with the login of the caller, with another view, and where the caller is no longer an instructor of the class. The student reads in the activity who has looked. For instructors of the class and administrators; members who are no students are 403.',
        params: MemberParams,
        response: { 200: SessionSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return toSession(await views.begin(callerOf(request), id, user_id), tokens);
      },
    });

    app.delete(path, {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: "Stop looking at a student's pages",
        description: 'Ends the view of the caller, if there is one, with its token.',
        params: MemberParams,
        response: { 200: Done, ...errors(401, 404) },
      },
      handler: (request) => done(views.end(callerOf(request)), 'View ended'),
    });
  };

/** A student of the caller's own, with whom a teacher sees and does what students do. */
export const testStudentRoutes =
  (
    views: StudentViewStore,
    tokens: ViewTokens,
    deleteTest: (caller: Caller) => Promise<void>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/teaching/test-student';

    app.post(`${path}/view`, {
      config: { access: 'instructor' },
      schema: {
        tags: ['teaching'],
        summary: 'Work as the own test student',
        description:
          'Returns a token of a student of the caller alone, for three hours. The test student finds the courses that the caller sees, with the drafts of those that the caller teaches, and is a student of the classes whose instructor the caller is (administrators: of all). It starts exams and laboratories, and has machines, progress and notes; what reaches other people is 403 `test_student`. It is in no list and no number, but its machines count. It keeps what it has done until it is deleted. The token ends like that of a view of a student.',
        response: { 200: SessionSchema, ...errors(401, 403) },
      },
      handler: async (request) => toSession(await views.beginTest(callerOf(request)), tokens),
    });

    app.delete(`${path}/view`, {
      config: { access: 'instructor' },
      schema: {
        tags: ['teaching'],
        summary: 'Stop working as the test student',
        description:
          'Ends the view of the caller, if there is one, with its token. What the test student has done stays.',
        response: { 200: Done, ...errors(401, 403) },
      },
      handler: (request) => done(views.end(callerOf(request)), 'View ended'),
    });

    app.delete(path, {
      config: { access: 'instructor' },
      schema: {
        tags: ['teaching'],
        summary: 'Delete what the own test student has done',
        description:
          'Its attempts, recordings, machines, progress and notes, and its token. Also succeeds if there is nothing.',
        response: { 200: Done, ...errors(401, 403) },
      },
      handler: (request) => done(deleteTest(callerOf(request)), 'Test student deleted'),
    });
  };

/** The import of a class's members from a file. */
export const memberImportRoutes =
  (imports: MemberImport): FastifyPluginAsyncTypebox =>
  async (app) => {
    const checks = { role: checkedBy(ImportedRole), user: checkedBy(ImportedStudent) };
    acceptTables(app);
    const file = { consumes: tableTypes, params: IdParams, querystring: MemberTableQuery, body: TableBody };
    const path = '/api/classes/:id/members/import';

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'Add the users of a CSV to a class',
        description:
          'Columns of `username,email,full_name,role`, named in the first line, in any order, also by other usual names; `role` is the one in the class, `student` if it is empty. Existing users are found by their username or e-mail address. Others are created as students; only instructors and administrators create accounts. `passwords` says what these get: a generated password (default; at most 500 lines) or, with `invitations`, the code of an invitation. The answer contains it once. A member keeps the role. Either all lines are imported or none: 422 lists the problems of all lines, with the line as the second part of `loc`. For instructors of the class and administrators.',
        ...file,
        response: { 200: Type.Array(ImportedMemberSchema), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.run(callerOf(request), params.id, body, memberChoiceOf(query), checks);
      },
    });

    app.post(`${path}/check`, {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'What an import of members would do',
        description:
          'Fields: `username`, `email`, `login` (either of them), `full_name` or several `name_part`, `role`. Columns are taken for what they seem to be. Nothing is written. For instructors of the class and administrators.',
        ...file,
        response: { 200: ImportCheckSchema, ...errors(401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.check(callerOf(request), params.id, body, memberChoiceOf(query), checks);
      },
    });
  };
