import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from './documented-answers.ts';

/** One operation of the API, who may call it, and the test that demonstrates it. */
export type Endpoint = { operation: string; access: string; file: string; test: string };

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/endpoints.md');
const introduction = `# Every endpoint and the test that shows it

Who may: \`public\` anybody, \`catalogue\` signed-in users (everybody with \`ANONYMOUS_CATALOGUE=true\`), \`user\` signed-in users, \`instructor\`
instructors and administrators, \`admin\` administrators. What belongs to a user is for that user: \`test/api/access.test.ts\` tries each operation
with every role and with somebody else's things. The WebSocket
\`/ws/terminal/{container_id}\`, which OpenAPI has no words for, is tried by \`test/api/terminal.test.ts\`. \`test/api/endpoints.test.ts\` holds this page against the API document, both ways.
After adding an endpoint with its test, write the page anew: \`TEST_CALLS=/tmp/calls npm test\`, then
\`ENDPOINTS_FROM=/tmp/calls npm test -- test/api/endpoints.test.ts\`.
`;

/** Parses the page. */
export function readEndpoints(): Endpoint[] {
  const row = /^\| `(?<operation>[A-Z]+ [^`]+)` \| (?<access>\w+) \| \[`(?<file>[^`]+)`\]\([^)]*\): (?<test>.*) \|$/gm;
  return [...readFileSync(page, 'utf8').matchAll(row)].map(({ groups }) => ({ ...groups }) as Endpoint);
}

/** The operations of the API document, with the access level of each. */
export function operationsOf({ paths }: ApiDocument): Map<string, string> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string] => [
        `${method.toUpperCase()} ${path}`,
        operation['x-access'] ?? 'public',
      ]),
    ),
  );
}

/** Tests of behaviour common to all operations, and of the WebSocket. */
const forAll = ['/access.test.ts', '/journey.test.ts', '/http.test.ts', '/terminal.test.ts'];

type Answered = { operation: string; status: number; file: string; test: string };

/**
 * Of the tests that got a successful answer of an operation, the most specific one: in the file that covers the most related operations,
 * and with few other operations.
 */
function bestTest(operation: string, calls: readonly Answered[]): Answered | undefined {
  const family = familyOf(operation);
  const distinct = (some: readonly Answered[]) => new Set(some.map((call) => call.operation)).size;
  const good = calls.filter((call) => call.operation === operation && call.status < 400);
  const scored = good.map((call) => {
    const inFile = calls.filter(({ file }) => file === call.file);
    const relatives = inFile.filter((other) => familyOf(other.operation) === family);
    const inTest = inFile.filter(({ test }) => test === call.test);
    return { call, score: distinct(relatives) / distinct(inFile) - distinct(inTest) / 1000 };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.call;
}

/** The part of the API that an operation belongs to. */
function familyOf(operation: string): string {
  const [, , first = '', second = ''] = operation.split(' ')[1]?.split('/') ?? [];
  return first === 'admin' ? `${first}/${second}` : first;
}

/** Writes the page from the recorded calls of the tests. @returns the operations without a successful answer in any test */
export function writeEndpoints(document: ApiDocument, callsFile: string): string[] {
  const lines = readFileSync(callsFile, 'utf8').trim().split('\n');
  const calls = lines
    .map((line) => JSON.parse(line) as Answered)
    .filter(({ file }) => !forAll.some((name) => file.endsWith(name)));
  const missing: string[] = [];
  const rows = [...operationsOf(document)].map(([operation, access]) => {
    const best = bestTest(operation, calls);
    if (!best) missing.push(operation);
    return `| \`${operation}\` | ${access} | [\`${best?.file}\`](../${best?.file}): ${best?.test} |`;
  });
  writeFileSync(page, `${introduction}\n| operation | who | test |\n|---|---|---|\n${rows.join('\n')}\n`);
  return missing;
}
