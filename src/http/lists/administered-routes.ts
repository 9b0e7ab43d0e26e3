import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { capitalised, found } from '../../errors.ts';
import type { CoursePart } from '../../values/course-policies.ts';
import { callerOf } from '../access/access.ts';
import { adminDoor, type Door } from '../access/doors.ts';
import { Done } from '../protocol/fields.ts';
import { queryOrBody } from '../protocol/query-or-body.ts';
import { errors, Id } from '../protocol/schemas.ts';
import { type Order, type Page, PageQuery, pageOf, setPageHeaders } from './paging.ts';
import { orderOf, type Sorted, sortQuery } from './sorting.ts';

/** Rows that administrators read, create, change and delete. The result is undefined if the row does not exist. */
export type Administered<New, Sort extends string> = {
  list: (
    page: Page,
    wanted: { parentId?: number | undefined; courseId?: number | undefined; order?: Order<Sort> | undefined },
  ) => Promise<{ rows: object[]; total: number }>;
  byId: (id: number) => Promise<object | undefined>;
  create: (actorId: number, fields: New) => Promise<object>;
  update: (actorId: number, id: number, change: Partial<New>) => Promise<object | undefined>;
  /**
   * `retired`: the row is kept but hidden from students.
   * @param options.retires exams and laboratories that lose their place with it are hidden as well
   */
  delete: (actorId: number, id: number, options?: { retires?: boolean }) => Promise<'deleted' | 'retired' | undefined>;
};

export type AdministeredRoutes<Fields extends TObject, Sort extends string> = {
  /** The door behind which they are, and the part of a course that they are. */
  door: Door;
  part: CoursePart;
  path: string;
  /** The name of the id in the path. */
  idName: 'id' | 'course_id' | 'section_id' | 'theme_id';
  /** Singular with article, such as `a sandbox template`, and plural. */
  one: string;
  plural: string;
  Row: TSchema;
  /** The fields of a new row. A change has a subset of them. */
  New: Fields;
  rows: Administered<Static<Fields>, Sort>;
  /** The fields that the list can be sorted by. The first one is the usual order. */
  sorts?: readonly [Sort, ...Sort[]];
  /** Schema of the answer to a deletion, if it is more than a sentence. */
  Deleted?: TSchema;
  /** Whether a row refers to another that may not exist. */
  hasReference?: boolean;
  /** The parent by which the list can be filtered. Behind the door of a course, that is no parent to choose. */
  parent?: { name: 'course_id' | 'section_id'; one: string };
  /** Additional descriptions for the API document. */
  about: { create: string; update: string; delete: string };
  /** Checks rules that no schema can express. @throws InvalidError */
  check?: (request: FastifyRequest, fields: Partial<Static<Fields>>) => void;
  /** Behind the door of a course: the fields of a new row there. @throws InvalidError */
  intoCourse?: (fields: Static<Fields>, courseId: number) => Static<Fields>;
};

/** Routes for rows that administrators and the staff of a course manage. Fields are read from the query string or a JSON body. */
export const administeredRoutes =
  <Fields extends TObject, Sort extends string>(options: AdministeredRoutes<Fields, Sort>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { path, idName, one, plural, Row, New, rows, sorts, hasReference, about } = options;
    const { check, Deleted = Done, door, part, intoCourse = (fields) => fields } = options;
    const parent = options.parent?.name === 'course_id' && door !== adminDoor ? undefined : options.parent;
    const tags = [door.tag];
    const [reads, changes] = [door.allows(part, 'read'), door.allows(part, 'change')];
    const params: TObject = door.params({ [idName]: Id });
    const listParams = door === adminDoor ? {} : { params: door.params({}) };
    const Change: TObject = Type.Partial<TObject>(New);
    const readNew = queryOrBody(New);
    const readChange = queryOrBody(Change);
    const bareName = one.replace(/^an? /, '');
    const name = capitalised(bareName);
    const idOf = (request: FastifyRequest): number => (request.params as Record<string, number>)[idName] ?? 0;
    const lists = parent ? `All ${plural}, or those of one ${parent.one},` : `All ${plural},`;
    const listErrors = { ...door.refusals, ...(parent ? errors(404) : {}) };
    const createErrors = { ...door.refusals, ...errors(409, 415), ...(hasReference ? errors(404) : {}) };

    app.get(path, {
      config: reads,
      schema: {
        tags,
        ...listParams,
        summary: `${lists} including inactive ones`,
        querystring: Type.Object({
          ...(sorts ? sortQuery(...sorts) : {}),
          ...PageQuery.properties,
          ...(parent ? { [parent.name]: Type.Optional(Id) } : {}),
        }),
        response: { 200: Type.Array(Row), ...listErrors },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const parentId = parent && (request.query as Record<string, number>)[parent.name];
        const order = sorts && orderOf(request.query as Sorted<Sort>, { by: sorts[0], isDescending: false });
        const list = await rows.list(page, { parentId, courseId: door.courseOf(request), order });
        setPageHeaders(request, reply, page, list.total);
        return list.rows;
      },
    });

    app.get(`${path}/:${idName}`, {
      config: reads,
      schema: {
        tags,
        summary: `One ${bareName}`,
        params,
        response: { 200: Row, ...errors(401, 403, 404) },
      },
      handler: async (request) => found(await rows.byId(idOf(request)), name),
    });

    app.post(path, {
      config: { ...changes, fields: New },
      schema: {
        tags,
        ...listParams,
        summary: `Create ${one}`,
        description: about.create,
        response: { 201: Row, ...createErrors },
      },
      handler: async (request, reply) => {
        const given = readNew(request);
        check?.(request, given);
        const courseId = door.courseOf(request);
        const fields = courseId === undefined ? given : intoCourse(given, courseId);
        return reply.code(201).send(await rows.create(callerOf(request).id, fields));
      },
    });

    app.put(`${path}/:${idName}`, {
      // As in the document of a creation: it lists no field as required, so both have one schema.
      config: {
        ...changes,
        fields: New,
        readOnly: { fields: ['id'], read: async (request) => found(await rows.byId(idOf(request)), name) },
      },
      schema: {
        tags,
        summary: `Change ${one}`,
        description: about.update,
        params,
        response: { 200: Row, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const change = readChange(request) as Partial<Static<Fields>>;
        check?.(request, change);
        return found(await rows.update(callerOf(request).id, idOf(request), change), name);
      },
    });

    app.delete(`${path}/:${idName}`, {
      config: door.allows(part, 'delete'),
      schema: {
        tags,
        summary: `Delete ${one}`,
        description: about.delete,
        params,
        response: { 200: Deleted, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const retires = door.courseOf(request) !== undefined;
        const outcome = found(await rows.delete(callerOf(request).id, idOf(request), { retires }), name);
        const detail = outcome === 'deleted' ? `${name} deleted` : `${name} retired: it has attempts`;
        return { detail, outcome };
      },
    });
  };
