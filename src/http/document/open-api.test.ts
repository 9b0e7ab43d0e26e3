import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nameSchemas } from './open-api.ts';

const task = { title: 'Task', type: 'object', properties: { title: { type: 'string' } } };
const exam = (inner: object) => ({
  title: 'Exam',
  type: 'object',
  properties: { tasks: { type: 'array', items: inner } },
});

it('moves schemas with a title to the components, including nested ones, and does not change its input', () => {
  const given = {
    paths: { '/exams': { get: exam(task) }, '/tasks': { get: task } },
    components: { securitySchemes: {} },
  };
  const before = structuredClone(given);
  assert.deepEqual(nameSchemas(given), {
    paths: {
      '/exams': { get: { $ref: '#/components/schemas/Exam' } },
      '/tasks': { get: { $ref: '#/components/schemas/Task' } },
    },
    components: { securitySchemes: {}, schemas: { Exam: exam({ $ref: '#/components/schemas/Task' }), Task: task } },
  });
  assert.deepEqual(given, before);
});

it('refuses two different schemas with the same name', () => {
  const other = { ...task, properties: {} };
  assert.throws(() => nameSchemas({ paths: { a: task, b: other } }), /Two schemas are called Task/);
});
