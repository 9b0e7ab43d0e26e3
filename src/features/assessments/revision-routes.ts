import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyContextConfig } from 'fastify';
import { type TObject, type TProperties, Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import { AssessmentRevision, toRevision } from '../attempts/schema.ts';
import type { AssessmentAdminService } from './admin-service.ts';
import { kinds } from './kinds.ts';
import { ListedRevisionSchema } from './schema.ts';
import type { AssessmentService } from './service.ts';

const RevisionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const ListQuery = Type.Object({
  ...PageQuery.properties,
  is_running: Type.Optional(Type.Boolean({ description: 'True: only those that attempts run on.' })),
});

type Place = {
  /** Of the exam or laboratory, with its `:id`. */
  path: string;
  tag: string;
  config: FastifyContextConfig;
  params: <Own extends TProperties>(own: Own) => TObject<Own>;
};

/** The revisions of exams or laboratories, for instructors. */
export const revisionRoutes = (assessments: AssessmentService): FastifyPluginAsyncTypebox => {
  const { plural } = kinds[assessments.kind];
  return routes(
    assessments,
    { path: `/api/${plural}/:id`, tag: plural, config: { access: 'instructor' }, params: (own) => Type.Object(own) },
    (caller, id) => assessments.get(caller, id),
  );
};

/** The same behind both doors, drafts included. */
export const adminRevisionRoutes = (assessments: AssessmentAdminService, door: Door): FastifyPluginAsyncTypebox => {
  const { plural } = kinds[assessments.kind];
  const place = { path: `${door.root}/${plural}/:id`, tag: door.tag, config: door.allows(plural, 'read') };
  return routes(assessments, { ...place, params: (own) => door.params(own) });
};

/** @param check throws NotFoundError where the caller does not see it */
const routes =
  (
    { kind, revisions }: AssessmentService | AssessmentAdminService,
    { path, tag, config, params }: Place,
    check: (caller: Caller, id: number) => Promise<unknown> = async () => undefined,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { one } = kinds[kind];
    app.get(`${path}/revisions`, {
      config,
      schema: {
        tags: [tag],
        summary: `The revisions of ${one}, the newest first`,
        description:
          'A change of anything that is shown or graded makes the next. Attempts are shown and graded by the texts, tasks, checks, points, set-up and files of theirs. The list has those with attempts, and the current one. Queued attempts have none yet.',
        params: params({ id: Id }),
        querystring: ListQuery,
        response: { 200: Type.Array(ListedRevisionSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        await check(callerOf(request), id);
        return await readPage(request, reply, (page) => revisions.list(id, page, request.query.is_running));
      },
    });

    app.get(`${path}/revisions/:revision`, {
      config,
      schema: {
        tags: [tag],
        summary: `One revision of ${one}, with its tasks and checks`,
        description: 'Those without attempts are kept for an hour.',
        params: params({ id: Id, revision: RevisionNumber }),
        response: { 200: AssessmentRevision, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, revision } = request.params;
        await check(callerOf(request), id);
        return toRevision(await revisions.one(id, revision));
      },
    });
  };
