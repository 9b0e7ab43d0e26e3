import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { NoteBody, NoteChanges, NoteQuery, NoteSchema } from './schema.ts';
import type { NoteService } from './service.ts';

const tags = ['notes'];

export const noteRoutes =
  (notes: NoteService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/notes', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's notes and bookmarks in lessons",
        description: 'Newest first. Nobody else sees them.',
        querystring: NoteQuery,
        response: { 200: Type.Array(NoteSchema), ...errors(401) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => notes.list(callerOf(request), page, request.query.theme_id)),
    });

    app.post('/api/notes', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Write a note or set a bookmark at a paragraph of a lesson',
        description: 'A second note at a paragraph replaces the text of the first.',
        body: NoteBody,
        response: { 201: NoteSchema, ...errors(400, 401, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { theme_id, heading = '', excerpt, text = '' } = request.body;
        const note = await notes.create(callerOf(request), { theme_id, heading, excerpt, text });
        return await reply.code(201).send(note);
      },
    });

    app.put('/api/notes/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change the text of a note',
        params: IdParams,
        body: NoteChanges,
        response: { 200: NoteSchema, ...errors(400, 401, 404, 415) },
      },
      handler: (request) => notes.update(callerOf(request), request.params.id, request.body.text),
    });

    app.delete('/api/notes/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a note or a bookmark',
        params: IdParams,
        response: { 200: Done, ...errors(401, 404) },
      },
      handler: async (request) => await done(notes.delete(callerOf(request), request.params.id), 'Note deleted'),
    });
  };
