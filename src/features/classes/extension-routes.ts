import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { found } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { acceptTables, TableBody, tableTypes } from '../../http/protocol/media-types.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { choiceOf, ImportCheckSchema, TableQuery } from '../tables/table-schema.ts';
import type { ExtensionImport } from './extension-import.ts';
import type { ExtensionStore } from './extension-store.ts';
import { DeadlineParams, ExtensionBody, ExtensionParams, ExtensionSchema, ExtensionsBody } from './schema.ts';

type Params = { id: number; laboratory_id: number };
const placeOf = ({ id, laboratory_id }: Params) => ({ classId: id, laboratoryId: laboratory_id });

/** The extensions of the deadlines of a class. */
export const extensionRoutes =
  (extensions: ExtensionStore, imports: ExtensionImport): FastifyPluginAsyncTypebox =>
  async (app) => {
    acceptTables(app);
    const config = { access: 'user' } as const;
    const tags = ['classes'];
    const path = '/api/classes/:id/deadlines/:laboratory_id/extensions';
    const forWhom = 'For instructors of the class and administrators.';
    const many = Type.Array(ExtensionSchema);

    app.get(path, {
      config,
      schema: {
        tags,
        summary: 'The students whose deadline in a laboratory is extended, by username',
        description: 'For instructors, and assistants who are no students.',
        params: DeadlineParams,
        querystring: PageQuery,
        response: { 200: many, ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => extensions.list(callerOf(request), placeOf(request.params), page)),
    });

    app.put(path, {
      config,
      schema: {
        tags,
        summary: 'Extend a deadline for several students',
        description: `All of them, or none. ${forWhom}`,
        params: DeadlineParams,
        body: ExtensionsBody,
        response: { 200: many, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const due_at = new Date(request.body.due_at);
        const some = [...new Set(request.body.user_ids)].map((user_id) => ({ user_id, due_at }));
        return await extensions.set(callerOf(request), placeOf(request.params), some);
      },
    });

    app.put(`${path}/:user_id`, {
      config,
      schema: {
        tags,
        summary: 'Extend a deadline for one student',
        description: `It replaces the deadline of the class for the student, also where it is the earlier one. ${forWhom}`,
        params: ExtensionParams,
        body: ExtensionBody,
        response: { 200: ExtensionSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { user_id, ...params } = request.params;
        const extension = { user_id, due_at: new Date(request.body.due_at) };
        const [set] = await extensions.set(callerOf(request), placeOf(params), [extension]);
        return found(set, 'Extension');
      },
    });

    app.delete(`${path}/:user_id`, {
      config,
      schema: {
        tags,
        summary: 'Delete the extension of a student',
        description: forWhom,
        params: ExtensionParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { user_id, ...params } = request.params;
        return await done(extensions.delete(callerOf(request), placeOf(params), user_id), 'Extension deleted');
      },
    });

    app.post(`${path}/import`, {
      config,
      schema: {
        tags,
        summary: 'Extend a deadline for the students of a CSV',
        description: `The first line names the columns: \`username\`, \`email\` or both, and \`due_at\` in ISO 8601 with its offset. Either all lines are imported or none: 422 lists the problems of all lines, with the line as the second part of \`loc\`. ${forWhom}`,
        params: DeadlineParams,
        querystring: TableQuery,
        consumes: tableTypes,
        body: TableBody,
        response: { 200: many, ...errors(401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.run(callerOf(request), placeOf(params), body, choiceOf(query));
      },
    });

    app.post(`${path}/import/check`, {
      config,
      schema: {
        tags,
        summary: 'What an import of extensions would do',
        description: `Fields: \`username\`, \`email\`, \`full_name\`, \`name_part\` and \`due_at\`. Columns are taken for what they seem to be. Nothing is written. ${forWhom}`,
        params: DeadlineParams,
        querystring: TableQuery,
        consumes: tableTypes,
        body: TableBody,
        response: { 200: ImportCheckSchema, ...errors(401, 403, 404, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.check(callerOf(request), params.id, body, choiceOf(query));
      },
    });
  };
