import assert from 'node:assert/strict';
import { Ajv, type ValidateFunction } from 'ajv';

export type Operation = {
  summary?: string;
  tags?: string[];
  security?: object[];
  /** Who may call the operation. */
  'x-access'?: string;
  parameters?: { in: string; name: string; required?: boolean; schema?: object }[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content; headers?: Record<string, object> }>;
};
type Content = Record<string, { schema?: object }>;
export type ApiDocument = {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: object; schemas?: Record<string, object> };
};

/** The document with each reference replaced by its schema. */
export function withoutReferences(document: ApiDocument): ApiDocument {
  const { schemas = {} } = document.components;
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (value === null || typeof value !== 'object') return value;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string') {
      const schema = schemas[reference.replace('#/components/schemas/', '')];
      assert.ok(schema, `${reference} is not in the API document`);
      return resolve(schema);
    }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
  };
  return { ...document, paths: resolve(document.paths) as ApiDocument['paths'] };
}

type Known = { name: string; pattern: RegExp; parameters: number; operation: Operation };

// Most schemas check a few answers, so optimised code costs more than it saves.
const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
ajv.addFormat('email', true);
ajv.addFormat('binary', true);
ajv.addFormat('uuid', true);
ajv.addFormat('date', true);
ajv.addFormat('bytes72', true);

/** Why a value does not match a schema without references, or has fields that the schema does not name. Undefined: it matches. */
export function mismatch(schema: object, value: unknown): string | undefined {
  const validate = ajv.compile(closed(schema));
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** Compares answers of the service with its own API document. */
export class DocumentedAnswers {
  readonly #known: Known[];
  readonly #compiled = new Map<object, ValidateFunction>();
  /** By the text of the schema: the answers of refusals are the same for most operations. */
  readonly #compiledTexts = new Map<string, ValidateFunction>();

  constructor(document: ApiDocument) {
    this.#known = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        pattern: patternOf(method, path),
        parameters: path.split('{').length,
        operation,
      })),
    );
    // `/attempts/active` is a path of its own, not an attempt's id.
    this.#known.sort((a, b) => a.parameters - b.parameters);
  }

  /** The operation of a request, as `GET /api/exams/{id}`. */
  operationOf(method: string, path: string): { name: string; operation: Operation } | undefined {
    const request = `${method} ${path.split('?', 1)[0]?.replace(/(?<=.)\/$/, '')}`;
    return this.#known.find(({ pattern }) => pattern.test(request));
  }

  /** @throws AssertionError where status, content type or body do not match the document's operation */
  check(method: string, path: string, answer: { status: number; headers: Headers; body?: unknown }): void {
    if (method === 'HEAD' || method === 'OPTIONS' || !path.startsWith('/api/')) return;
    const { status, headers, body } = answer;
    const found = this.operationOf(method, path);
    if (!found) {
      const isOwn = /^\/api\/(docs|openapi\.json)/.test(path);
      assert.ok(isOwn || status >= 400, `${method} ${path} is not in the API document, and answered ${status}`);
      return;
    }
    const where = `${found.name} answered ${status}`;
    const response = found.operation.responses[status];
    assert.ok(response, `${where}, which the API document does not tell of: ${JSON.stringify(body)}`);
    const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
    const content = response.content ?? {};
    if (Object.keys(content).length === 0) {
      assert.equal(type, '', `${where} with ${type}, and the API document declares no content`);
      return;
    }
    const form = content[type] ?? content['*/*'];
    assert.ok(form, `${where} with ${type}, and the API document declares ${Object.keys(content).join(', ')}`);
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const isOptional = (header as { required?: boolean }).required !== true;
      assert.ok(isOptional || headers.has(name), `${where} without the header ${name}`);
    }
    if (type === 'application/json' && form.schema) this.#checkBody(form.schema, body, where);
  }

  #checkBody(schema: object, body: unknown, where: string): void {
    let validate = this.#compiled.get(schema);
    if (!validate) {
      const text = JSON.stringify(closed(schema));
      validate = this.#compiledTexts.get(text) ?? ajv.compile(JSON.parse(text));
      this.#compiledTexts.set(text, validate);
      this.#compiled.set(schema, validate);
    }
    const isValid = validate(body);
    assert.ok(isValid, `${where}, and its body is not as documented: ${ajv.errorsText(validate.errors)}`);
  }
}

function patternOf(method: string, path: string): RegExp {
  const source = path
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{\*\}/g, '.+')
    .replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${method.toUpperCase()} ${source}$`);
}

/** Forbids properties that an object's schema does not name: a generated client would not know them. */
function closed<Value>(schema: Value): Value {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as Value;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) copy[key] = closed(value);
  if (copy['type'] === 'object' && copy['properties'] !== undefined) copy['additionalProperties'] ??= false;
  return copy as Value;
}
