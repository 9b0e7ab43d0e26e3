import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';
import { session } from './session.ts';

/** The whole API, typed by its own document. Answers are unwrapped by `ok` or `okPage` of problem.ts. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request) => {
    // That of the pages, which the user may have chosen: mails are written in it.
    if (request.method !== 'GET') request.headers.set('accept-language', document.documentElement.lang);
    return session.fetch(request);
  },
});

type Method = 'get' | 'post' | 'put' | 'delete';
type Good<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { content: { 'application/json': infer Body } } ? Body : never;
}[keyof Responses];

/** The content of a successful answer of an operation: `Answer<'/api/auth/me'>`, `Answer<'/api/exams/{id}/start', 'post'>`. */
export type Answer<Path extends keyof paths, Verb extends Method = 'get'> = paths[Path] extends {
  [Name in Verb]: { responses: infer Responses };
}
  ? Good<Responses>
  : never;

/** The JSON body of an operation. */
export type Body<Path extends keyof paths, Verb extends Method> = paths[Path] extends {
  [Name in Verb]: { requestBody?: { content: { 'application/json': infer Content } } };
}
  ? Content
  : never;
