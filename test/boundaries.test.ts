import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { after, before, it } from 'node:test';
import rules, { features, pageFloors } from '../.dependency-cruiser.ts';
import { describeLong } from './rounds.ts';

const root = join(import.meta.dirname, '..');
const configuration = '.dependency-cruiser.ts';

/** An import of one file, or of a package, by another. */
type Plant = { from: string; to: string; kind?: 'type' | 'later' };
type Violation = { from: string; to: string; rule: { name: string } };

const database = 'src/database/connection/connect.ts';
const engine = 'src/adapters/docker/docker-engine.ts';
const access = 'src/http/access/access.ts';
const conversion = 'tools/conversion/markdown/repository.ts';
const nextFeatures = features.slice(0, -1).map((name, index): [string, Plant] => {
  const [from, to] = [name, features[index + 1]].map((feature) => `src/features/${feature}/planted.ts`);
  return [`features above ${name}`, { from: from ?? '', to: to ?? '' }];
});

/** An area imports none of the floor above or beside, and not what composes the areas. */
const forbiddenToFloor = ([area = '', beside]: readonly string[], index: number): [string, Plant][] => {
  const others = [pageFloors[index + 1]?.[0], beside].filter((other) => other !== undefined);
  const targets = [...others.map((other) => `web/src/${other}/planted.ts`), 'web/src/pages.ts'];
  return targets.map((to) => [`pages on floor ${index + 1}`, { from: `web/src/${area}/planted.ts`, to }]);
};

/** A room, a file in it and a file that it may not import. The import of a type is a rule of its own. */
const rooms: [string, string, string][] = [
  ['composition', 'src/compose/planted.ts', 'src/commands/steps.ts'],
  ['server', 'src/server.ts', 'src/commands/steps.ts'],
  ['work', 'src/work.ts', 'src/commands/steps.ts'],
  ['configuration', 'src/config/planted.ts', 'src/commands/steps.ts'],
  ['foundation', 'src/errors.ts', access],
  ['entities', 'src/entities/task.ts', access],
  ['http', 'src/http/planted.ts', 'src/features/auth/service.ts'],
  ['database', 'src/database/planted.ts', 'src/server.ts'],
  ['ports', 'src/ports/planted.ts', 'src/server.ts'],
  ['adapters', 'src/adapters/disk/planted.ts', engine],
  ['routes', 'src/features/auth/planted-routes.ts', engine],
  ['schemas', 'src/features/auth/planted-schema.ts', database],
  ['services', 'src/features/auth/planted-service.ts', engine],
  ['stores', 'src/features/auth/planted-store.ts', 'src/ports/container-engine.ts'],
  ['conversion', 'tools/conversion/planted.ts', 'src/features/content/service.ts'],
];

const forbidden: [string, Plant][] = [
  ...rooms.flatMap(([name, from, to]): [string, Plant][] => [
    [name, { from, to }],
    [`${name} (types)`, { from: from.replace('planted', 'planted-type'), to, kind: 'type' }],
  ]),
  ['the client is copied alone', { from: 'client/planted.ts', to: access }],
  ['services', { from: 'src/features/profile/planted-service.ts', to: database }],
  ['services', { from: 'src/features/profile/planted-service.ts', to: 'src/server.ts', kind: 'later' }],
  ['services', { from: 'src/features/profile/service.ts', to: 'src/http/lists/paging.ts' }],
  ['stores', { from: 'src/features/auth/planted/store.ts', to: 'src/ports/container-engine.ts' }],
  ['adapters', { from: 'src/adapters/disk/planted.ts', to: 'src/features/auth/service.ts' }],
  ['adapters (types)', { from: 'src/adapters/disk/planted-type.ts', to: 'src/config.ts', kind: 'type' }],
  ['known rooms', { from: 'src/compose/planted.ts', to: 'src/helpers/planted.ts' }],
  ['known features', { from: 'src/features/admin/planted.ts', to: 'src/features/unknown/planted.ts' }],
  ['routes among features', { from: 'src/features/profile/planted-routes.ts', to: 'src/features/auth/service.ts' }],
  [
    'routes of admin among features',
    { from: 'src/features/admin/planted-routes.ts', to: 'src/features/auth/store.ts' },
  ],
  ['schemas among features', { from: 'src/features/profile/planted-schema.ts', to: 'src/features/auth/service.ts' }],
  ['services among features', { from: 'src/features/profile/planted-service.ts', to: 'src/features/auth/store.ts' }],
  ['stores among features', { from: 'src/features/attempts/planted-store.ts', to: 'src/features/auth/store.ts' }],
  ['stores among features', { from: 'src/features/attempts/planted/store.ts', to: 'src/features/auth/store.ts' }],
  ['stores know no service', { from: 'src/features/auth/planted-store.ts', to: 'src/features/auth/service.ts' }],
  ['features do not import routes', { from: 'src/features/auth/service.ts', to: 'src/features/auth/routes.ts' }],
  ...nextFeatures,
  ['package dockerode', { from: 'src/features/containers/planted.ts', to: 'dockerode' }],
  ['package @kubernetes/client-node', { from: 'src/adapters/docker/planted.ts', to: '@kubernetes/client-node' }],
  ['package ssh2', { from: 'src/features/containers/planted.ts', to: 'ssh2' }],
  ['package @aws-sdk/client-s3', { from: 'src/features/containers/planted.ts', to: '@aws-sdk/client-s3' }],
  ['package kysely', { from: 'src/features/containers/planted.ts', to: 'kysely' }],
  ['package pg', { from: 'src/features/containers/planted.ts', to: 'pg' }],
  [
    'packages are used by the composition',
    { from: 'src/features/terminal/planted.ts', to: 'packages/screens/screen-pool.ts' },
  ],
  ['packages know nothing of the service', { from: 'packages/screens/planted.ts', to: 'src/errors.ts' }],
  ['packages among packages', { from: 'packages/screens/planted.ts', to: 'packages/embedded-postgres/account.ts' }],
  ['package openid-client', { from: 'src/features/auth/planted.ts', to: 'openid-client' }],
  ['package jose', { from: 'src/features/auth/planted.ts', to: 'jose' }],
  ['package @xterm/headless', { from: 'src/features/containers/planted.ts', to: '@xterm/headless' }],
  ['the environment', { from: 'src/http/planted.ts', to: 'node:process' }],
  ['tools are no part of the service', { from: 'src/commands/planted.ts', to: 'bench/environment.ts' }],
  ['tools are no part of the service', { from: 'src/compose/planted.ts', to: 'tools/conversion/markdown/merge.ts' }],
  [
    'the composition hands the conversion on',
    { from: 'src/features/content/planted.ts', to: conversion, kind: 'type' },
  ],
  ['tools among tools', { from: 'tools/demonstration/planted.ts', to: 'tools/conversion/slugs.ts' }],
  ['tools among tools', { from: 'tools/demonstration/planted.ts', to: 'bench/environment.ts' }],
  ['known tools', { from: 'tools/main.ts', to: 'tools/helpers/planted.ts' }],
  ['no circles', { from: 'src/http/planted-a.ts', to: 'src/http/planted-b.ts' }],
  ['resolved', { from: 'src/http/planted.ts', to: 'no-such-package' }],
  ['no Node in a browser', { from: 'web/src/lessons/planted.ts', to: 'node:path' }],
  ['pages are no part of the service', { from: 'web/src/lessons/planted.ts', to: 'src/errors.ts', kind: 'type' }],
  ['known areas', { from: 'web/src/lessons/planted.ts', to: 'web/src/helpers/planted.ts' }],
  ...pageFloors.flatMap(forbiddenToFloor),
];

const allowed: [string, Plant][] = [
  ['a service, one below it', { from: 'src/features/subjects/planted.ts', to: 'src/features/attempts/service.ts' }],
  ['a service, a shared store', { from: 'src/features/subjects/planted.ts', to: 'src/features/attempts/store.ts' }],
  ['a service, a port', { from: 'src/features/grading/planted.ts', to: 'src/ports/container-engine.ts' }],
  [
    'a service, the type of a row',
    { from: 'src/features/subjects/planted.ts', to: 'src/database/tables.ts', kind: 'type' },
  ],
  [
    'routes of admin, other services',
    { from: 'src/features/admin/planted-routes.ts', to: 'src/features/auth/service.ts' },
  ],
  [
    'an adapter, what it implements',
    { from: 'src/adapters/disk/planted.ts', to: 'src/features/lesson-repositories/lesson-source.ts' },
  ],
  ['a service, a shell', { from: 'src/features/grading/planted.ts', to: 'packages/ssh/container-shell.ts' }],
  ['a service, limits of work', { from: 'src/features/grading/planted.ts', to: 'packages/limits/lanes.ts' }],
  ['the composition, the way to the conversion', { from: 'src/compose/planted-above.ts', to: conversion }],
  ['tools, the service', { from: 'tools/demonstration/planted-above.ts', to: 'src/commands/start.ts' }],
  ['the composition, an adapter', { from: 'src/compose/planted.ts', to: engine }],
  ['tests, everything', { from: 'src/features/auth/planted.test.ts', to: engine }],
  ['pages, an area below', { from: 'web/src/ui/planted-above.ts', to: 'web/src/api/client.ts' }],
  ['pages, their own area', { from: 'web/src/lessons/planted-above.ts', to: 'web/src/lessons/routes.ts' }],
  ['what composes the pages, an area', { from: 'web/src/planted-above.ts', to: 'web/src/profile/routes.ts' }],
];

describeLong('boundaries', () => {
  let folder: string;
  let violations: Violation[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
    for (const name of [
      'src',
      'packages',
      'tools',
      'bench',
      'client',
      'web/src',
      'package.json',
      'tsconfig.json',
      configuration,
    ])
      await cp(join(root, name), join(folder, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [, plant] of [...forbidden, ...allowed]) await add(plant);
    // A circle may consist of types.
    await add({ from: 'src/http/planted-b.ts', to: 'src/http/planted-a.ts', kind: 'type' });
    violations = await cruise();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function add({ from, to, kind }: Plant): Promise<void> {
    const isFile = to.includes('.ts');
    const target = isFile ? posix.relative(posix.dirname(from), to) : to;
    const specifier = isFile && !target.startsWith('.') ? `./${target}` : target;
    const line = {
      type: `import type {} from '${specifier}';\n`,
      later: `await import('${specifier}');\n`,
      value: `import '${specifier}';\n`,
    }[kind ?? 'value'];
    for (const path of isFile ? [from, to] : [from]) await mkdir(dirname(join(folder, path)), { recursive: true });
    if (to.includes('planted')) await appendFile(join(folder, to), '');
    await appendFile(join(folder, from), line);
  }

  async function cruise(): Promise<Violation[]> {
    const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const args = [
      program,
      '--config',
      configuration,
      '--output-type',
      'json',
      'src',
      'packages',
      'tools',
      'client',
      'web/src',
    ];
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (_error, stdout) => resolve(stdout)),
    );
    return JSON.parse(output).summary.violations;
  }

  const brokenBy = ({ from, to }: Plant): string[] => {
    const isSame = (target: string) =>
      target === to || target.includes(`node_modules/${to}/`) || `node:${target}` === to;
    return violations.filter((found) => found.from === from && isSame(found.to)).map(({ rule }) => rule.name);
  };

  it('has a violation for each rule', () => {
    const planted = new Set(forbidden.map(([rule]) => rule));
    assert.deepEqual(
      rules.forbidden.map(({ name = '' }) => name).filter((name) => !planted.has(name)),
      [],
    );
  });

  for (const [rule, plant] of forbidden) {
    it(`${rule}: ${plant.from} does not import ${plant.to}`, () => assert.ok(brokenBy(plant).includes(rule)));
  }

  for (const [name, plant] of allowed) {
    it(`allows: ${name}`, () => assert.deepEqual(brokenBy(plant), []));
  }
});
