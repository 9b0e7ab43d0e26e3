import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findPageViolations, findViolations } from './boundaries.ts';

const root = join(import.meta.dirname, '..');
const check = (folder: string) =>
  spawnSync(process.execPath, [join(root, 'test/boundaries.ts'), folder], { encoding: 'utf8' });
const violationsOf = (path: string, source: string) => findViolations(new Map([[path, source]]));

describe('boundaries', () => {
  it('fails on an import that is planted in the real sources, and not without it', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
    t.after(() => rm(folder, { recursive: true }));
    await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
    assert.deepEqual([check(folder).stdout.split('\n').slice(0, -2), check(folder).status], [[], 0]);

    await appendFile(
      join(folder, 'src/features/auth/service.ts'),
      `import { DockerEngine } from '../../adapters/docker/docker-engine.ts';\n`,
    );
    const { status, stdout } = check(folder);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^src\/features\/auth\/service\.ts: imports .*docker-engine\.ts: service may not import adapters\/docker$/m,
    );
  });

  const forbidden: [string, string, string][] = [
    ['a service, its routes', 'src/features/subjects/service.ts', `import { subjectRoutes } from './routes.ts';`],
    [
      'a service, the database',
      'src/features/subjects/service.ts',
      `import { connectDatabase } from '../../database/connect.ts';`,
    ],
    ['a service, the query builder', 'src/features/subjects/service.ts', `import { sql } from 'kysely';`],
    [
      'a service, a store of another feature',
      'src/features/subjects/service.ts',
      `import { Users } from '../auth/store.ts';`,
    ],
    ['a service, one above it', 'src/features/grading/service.ts', `import { Exams } from '../subjects/service.ts';`],
    [
      'a service, one above it, later',
      'src/features/auth/tokens.ts',
      `const { Exams } = await import('../subjects/service.ts');`,
    ],
    ['routes, another feature', 'src/features/subjects/routes.ts', `import type { Auth } from '../auth/service.ts';`],
    [
      'routes, a shared store',
      'src/features/subjects/routes.ts',
      `import type { Attempts } from '../attempts/store.ts';`,
    ],
    [
      'a service, code of http',
      'src/features/subjects/service.ts',
      `import { setPageHeaders } from '../../http/paging.ts';`,
    ],
    ['routes, an adapter', 'src/features/subjects/routes.ts', `export * from '../../adapters/git/git-mirror.ts';`],
    ['a store, http', 'src/features/subjects/store.ts', `import {\n  page,\n  size,\n} from '../../http/paging.ts';`],
    ['a store, its service', 'src/features/subjects/store.ts', `import { SubjectService } from './service.ts';`],
    ['an adapter, another adapter', 'src/adapters/ssh/shell.ts', `import { x } from '../docker/docker-engine.ts';`],
    ['an adapter, a feature', 'src/adapters/ssh/shell.ts', `import { x } from '../../features/auth/service.ts';`],
    ['an adapter, the configuration', 'src/adapters/ssh/shell.ts', `import type { Config } from '../../config.ts';`],
    ['the engine client outside its adapter', 'src/features/containers/service.ts', `import Docker from 'dockerode';`],
    ['anything, the composition', 'src/server.ts', `import { compose } from './compose.ts';`],
    ['an unknown room', 'src/helpers/strings.ts', `import { x } from '../config.ts';`],
    ['the environment', 'src/http/access.ts', 'const port = process.env.PORT;'],
    ['the environment, by name', 'src/http/access.ts', `const port = process.env['PORT'];`],
    ['the environment, imported', 'src/http/access.ts', `import { env } from 'node:process';`],
  ];
  for (const [name, path, source] of forbidden) {
    it(`forbids: ${name}`, () => assert.equal(violationsOf(path, source).length, 1));
  }

  const allowed: [string, string, string][] = [
    [
      'a service, one below it',
      'src/features/subjects/service.ts',
      `import { Attempts } from '../attempts/service.ts';`,
    ],
    [
      'a service, a port',
      'src/features/grading/service.ts',
      `import type { Shell } from '../../ports/container-shell.ts';`,
    ],
    [
      'routes of admin, other services',
      'src/features/admin/routes.ts',
      `import type { Exams } from '../subjects/service.ts';`,
    ],
    ['the composition, everything', 'src/compose.ts', `import { x } from './adapters/docker/docker-engine.ts';`],
    [
      'tests, everything',
      'src/features/auth/service.test.ts',
      `import { x } from '../../adapters/docker/docker-engine.ts';`,
    ],
    [
      'what is only spoken of',
      'src/http/access.ts',
      `// import '../adapters/x.ts' and process.env.PORT\n/* import '../main.ts'; */`,
    ],
  ];
  for (const [name, path, source] of allowed) {
    it(`allows: ${name}`, () => assert.deepEqual(violationsOf(path, source), []));
  }

  it('finds features that import each other in a circle', () => {
    const files = new Map([
      ['src/features/subjects/service.ts', `import { a } from '../lessons/service.ts';`],
      ['src/features/lessons/service.ts', `import { b } from '../subjects/service.ts';`],
    ]);
    assert.deepEqual(findViolations(files), [
      'src/features/lessons: is in a circle of imports',
      'src/features/subjects: is in a circle of imports',
    ]);
  });

  it('keeps the pages apart from the service, and what they stand on from them', () => {
    const violations = (path: string, source: string) => findPageViolations(new Map([[path, source]])).length;
    const page = 'web/src/lessons/lesson-page.tsx';
    assert.equal(violations(page, `import type { Theme } from '../../../src/features/lessons/schema.ts';`), 1);
    assert.equal(violations(page, `import { join } from 'node:path';`), 1);
    assert.equal(violations('web/src/ui/button.tsx', `import { x } from '../lessons/lesson-page.tsx';`), 1);
    assert.equal(violations('web/src/ui/button.tsx', `import { api } from '../api/client.ts';`), 0);
    assert.equal(violations(page, `import { Terminal } from '../terminal/terminal-pane.tsx';`), 0);
  });
});
