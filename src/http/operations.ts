import { STATUS_CODES } from 'node:http';
import type { DocumentedOperation } from './shared-answers.ts';

const singular = (word: string): string =>
  word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
const capital = (word: string): string =>
  word
    .split(/[-_.]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/**
 * The name of an operation for generated clients, such as `listExams`, `getExam`, `startExam` or `createAdminExamTask`. It follows from the
 * method and the path, so it stays while they do. A segment of the path before a parameter is in the singular.
 * @param method in lower case
 * @param path with parameters in braces
 */
export function operationIdOf(method: string, path: string, operation: DocumentedOperation): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 'api' && segment !== 'auth');
  const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false;
  const last = segments.at(-1) ?? '';
  const { responses = {} } = operation;
  const isCollection = /[^s]s$/.test(last) && '201' in responses;
  const isAction = method === 'post' && !isParameter(last) && !isCollection;
  const named = (isAction ? segments.slice(0, -1) : segments)
    .map((segment, index, all) => (isParameter(all[index + 1]) ? singular(segment) : segment))
    .filter((segment) => !isParameter(segment));
  const schema = responses['200']?.content?.['application/json']?.schema as { type?: unknown } | undefined;
  const verbs: Record<string, string> = {
    get: schema?.type === 'array' ? 'list' : 'get',
    put: 'update',
    post: 'create',
  };
  if (!isAction) {
    const end = method === 'post' ? singular(named.pop() ?? '') : (named.pop() ?? '');
    return (verbs[method] ?? method) + [...named, end].map(capital).join('');
  }
  const verb = capital(last);
  return verb.charAt(0).toLowerCase() + verb.slice(1) + named.map(capital).join('');
}

/** Statuses that most operations can answer. */
const ofEveryOperation = [400, 401, 413, 415, 422, 429, 500, 503];

/** A sentence on the refusals that the operation has for reasons of its own; undefined without any. */
export function ownRefusals({ responses = {} }: DocumentedOperation): string | undefined {
  const own = Object.keys(responses).filter(
    (status) => Number(status) >= 400 && !ofEveryOperation.includes(Number(status)),
  );
  if (own.length === 0) return undefined;
  return `Refusals of its own: ${own.map((status) => `${status} ${STATUS_CODES[status] ?? ''}`.trim()).join(', ')}.`;
}
