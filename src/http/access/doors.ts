import type { FastifyRequest } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import { type CourseAct, type CoursePart, coursePath, coursePolicies } from '../../values/course-policies.ts';
import { errors, Id } from '../protocol/schemas.ts';
import type { Access } from './access.ts';

/**
 * Where the routes of content are reached. Each is declared once and stands behind both doors: that of administrators, who reach the content
 * of all courses, and that of one course, whose staff reach its own.
 */
export type Door = {
  /** The beginning of the paths of the catalogue's tree, and of all others. */
  tree: string;
  root: string;
  tag: 'admin' | 'teaching';
  /** The access of a route. */
  allows: (part: CoursePart, act: CourseAct) => { access: Access };
  /** The parameters of a route, with those of the door. */
  params: <Properties extends TProperties>(properties: Properties) => ReturnType<typeof Type.Object<Properties>>;
  /** Refusals that every route of the door has. */
  refusals: Record<number, TSchema>;
  /** The course whose door a request came through. Undefined: that of administrators. */
  courseOf: (request: FastifyRequest) => number | undefined;
};

export const adminDoor: Door = {
  ...{ tree: '/api/admin/lessons', root: '/api/admin', tag: 'admin' },
  allows: () => ({ access: 'admin' }),
  params: (properties) => Type.Object(properties),
  refusals: errors(401, 403),
  courseOf: () => undefined,
};

export const courseDoor: Door = {
  ...{ tree: coursePath, root: coursePath, tag: 'teaching' },
  allows: (part, act) => ({ access: coursePolicies[part][act] }),
  // The handlers of both doors read the parameters that both have.
  params: <Properties extends TProperties>(properties: Properties) =>
    Type.Object({ course_id: Id, ...properties }) as unknown as ReturnType<typeof Type.Object<Properties>>,
  refusals: errors(401, 403, 404),
  courseOf: (request) => (request.params as { course_id?: number }).course_id,
};
