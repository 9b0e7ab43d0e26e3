import { examplesOfStaff } from './staff.ts';
import { examplesOfStudents } from './students.ts';

type Content = Record<string, { schema?: object; example?: unknown }>;
type Part = { content?: Content };
type Operation = { operationId?: string; requestBody?: Part; responses?: Record<string, Part> };

const examples = { ...examplesOfStudents, ...examplesOfStaff };

/** Adds examples to the operations that most clients begin with, the main work of students, authors, teachers and administrators. */
export function addExamples(paths: object): void {
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations) as Operation[])) {
    const example = examples[operation.operationId ?? ''];
    if (!example) continue;
    const { request, answer, queued } = example;
    if (operation.requestBody && request !== undefined)
      operation.requestBody = withExample(operation.requestBody, request);
    for (const [status, response] of Object.entries(operation.responses ?? {}))
      if (['200', '201'].includes(status))
        operation.responses = { ...operation.responses, [status]: withExample(response, answer) };
      else if (status === '202')
        operation.responses = { ...operation.responses, [status]: withExample(response, queued) };
  }
}

/** A copy, because operations share parts of the document. */
function withExample(part: Part, example: unknown): Part {
  const content = Object.entries(part.content ?? {}).map(([type, media]) => [type, { ...media, example }]);
  return { ...part, content: Object.fromEntries(content) };
}
