import type { FastifyPluginAsync } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import { type Page, PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import type { ClassAccommodationStore, SessionAccommodationStore } from './accommodation-store.ts';
import {
  AccommodationChange,
  AccommodationSchema,
  ClassAccommodationChange,
  ClassAccommodationSchema,
  withDates,
} from './schema.ts';
import type { ExamSessionService } from './service.ts';

const Params = Type.Object({ id: Id, user_id: Id });

type Text = { summary: string; description: string };
/** What accommodations of a session and those of a class do not share. `id` is that of the session or of the class. */
type Accommodations<Row extends TSchema, Change extends TSchema> = {
  path: string;
  schemas: { row: Row; change: Change };
  texts: { list: Text; set: Text; withdraw: Text };
  list: (caller: Caller, id: number, page: Page) => Promise<{ rows: Static<Row>[]; total: number }>;
  set: (caller: Caller, id: number, userId: number, change: Static<Change>) => Promise<Static<Row>>;
  withdraw: (caller: Caller, id: number, userId: number) => Promise<void>;
};

/** The accommodations of single students, of a session or of a class. */
const accommodationRoutes =
  <Row extends TSchema, Change extends TSchema>({
    path,
    schemas,
    texts,
    list,
    set,
    withdraw,
  }: Accommodations<Row, Change>): FastifyPluginAsync =>
  async (app) => {
    const tags = ['exam sessions'];

    app.get<{ Params: Static<typeof IdParams>; Querystring: Static<typeof PageQuery> }>(path, {
      config: { access: 'user' },
      schema: {
        tags,
        ...texts.list,
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(schemas.row), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => list(callerOf(request), request.params.id, page)),
    });

    app.put<{ Params: Static<typeof Params>; Body: Static<Change> }>(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        ...texts.set,
        params: Params,
        body: schemas.change,
        response: { 200: schemas.row, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await set(callerOf(request), id, user_id, request.body as Static<Change>);
      },
    });

    app.delete<{ Params: Static<typeof Params> }>(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: { tags, ...texts.withdraw, params: Params, response: { 200: Done, ...errors(401, 403, 404) } },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await done(withdraw(callerOf(request), id, user_id), 'Accommodation withdrawn');
      },
    });
  };

/** The accommodations of an exam session. */
export const sessionAccommodationRoutes = (accommodations: SessionAccommodationStore, service: ExamSessionService) =>
  accommodationRoutes({
    path: '/api/exam-sessions/:id/accommodations',
    schemas: { row: AccommodationSchema, change: AccommodationChange },
    texts: {
      list: { summary: 'The accommodations of an exam session, by username', description: 'Not for students.' },
      set: {
        summary: 'Set the accommodation of a student',
        description:
          'Only the given fields; null is as for everybody. It also applies to an attempt that runs. For instructors of the class or the session and administrators.',
      },
      withdraw: {
        summary: 'Withdraw the accommodation of a student',
        description:
          'It also applies to an attempt that runs. For instructors of the class or the session and administrators.',
      },
    },
    list: (caller, id, page) => accommodations.list(caller, id, page),
    set: (caller, id, userId, change) => service.accommodate(caller, id, userId, withDates(change)),
    withdraw: (caller, id, userId) => service.withdrawAccommodation(caller, id, userId),
  });

/** The accommodations that hold in all exam sessions of a class. */
export const classAccommodationRoutes = (accommodations: ClassAccommodationStore, service: ExamSessionService) =>
  accommodationRoutes({
    path: '/api/classes/:id/accommodations',
    schemas: { row: ClassAccommodationSchema, change: ClassAccommodationChange },
    texts: {
      list: {
        summary: 'The accommodations in all exam sessions of a class, by username',
        description: 'Not for students.',
      },
      set: {
        summary: 'Set the accommodation of a student in all exam sessions of a class',
        description:
          'Only the given fields. It also applies to an attempt that runs. What the accommodation of a session sets holds there instead. For instructors of the class and administrators.',
      },
      withdraw: {
        summary: 'Withdraw the accommodation of a student in a class',
        description: 'It also applies to an attempt that runs. For instructors of the class and administrators.',
      },
    },
    list: (caller, id, page) => accommodations.list(caller, id, page),
    set: (caller, id, userId, change) => service.accommodateInClass(caller, id, userId, change),
    withdraw: (caller, id, userId) => service.withdrawClassAccommodation(caller, id, userId),
  });
