// Who may import whom. `npm run check` runs it; test/boundaries.test.ts plants a violation of every rule.
// A room is a folder below src/, or within a feature the part that a file's name says: routes, schema, store, else service.
// A folder in a feature keeps together what is one thing, such as auth/passkeys. The same rules hold in it.

import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser';

/** Features from the ground up: one may import the services of those before it, never of those after, so there is no circle. */
export const features = [
  ...[
    'system',
    'tables',
    'auth',
    'personal-tokens',
    'notifications',
    'mail',
    'webhooks',
    'classes',
    'identity-providers',
    'announcements',
    'deletions',
    'retention',
    'evidence',
    'capacity',
    'images',
    'containers',
  ],
  ...[
    'grading',
    'attempts',
    'exam-sessions',
    'exam-room',
    'lti',
    'lesson-repositories',
    'lessons',
    'course-staff',
    'written-lessons',
  ],
  ...[
    'grade-book',
    'notes',
    'assessments',
    'profile',
    'site',
    'certificates',
    'signals',
    'recordings',
    'terminal',
    'help',
    'trials',
    'decisions',
    'regrades',
  ],
  ...['dashboard', 'instructors', 'search', 'admin', 'content', 'course-imports'],
];

/**
 * The areas of the pages, floor by floor from the ground up. One may import those on the floors below its own, never one above or beside.
 * The files directly in web/src compose the areas: they may import all of them, and none imports them.
 */
export const pageFloors: readonly (readonly string[])[] = [
  ['api'],
  ['strings'],
  ['routing'],
  ['ui'],
  ['imports', 'search', 'teaching-model', 'terminal'],
  ['help', 'markdown', 'sandboxes'],
  ['announcements', 'attempts', 'notes'],
  ['assessments', 'exam-sessions', 'lessons', 'notifications', 'written-lessons'],
  ['account', 'authoring', 'classes', 'dashboard', 'layout', 'profile', 'teaching'],
  ['administration'],
];

type Rule = IRegularForbiddenRuleType & { name: string };

const source = (path: string): string => `^src/${path}\\.ts$`;
const anyOf = (parts: readonly string[]): string => `(?:${parts.join('|')})`;
const exactly = (files: readonly string[]): string => `^${anyOf(files.map((file) => file.replaceAll('.', '\\.')))}$`;

const routes = '^src/features/([^/]+)/.*\\broutes\\.ts$';
const schemas = '^src/features/([^/]+)/.*\\bschema\\.ts$';
/** The throttle is a store by another name: it talks to the database itself. */
const stores = '^src/features/([^/]+)/.*\\b(?:store|throttle)\\.ts$';
const services = '^src/features/([^/]+)/(?!.*\\b(?:routes|schema|store|throttle)\\.ts$)';
/** The feature of the importing file. */
const own = '^src/features/$1/';

/** Every room may import them: a service refuses with the errors, and speaks of the values. */
const foundation = '^src/(errors\\.ts$|values/)';
/** The fields of what is stored and shown. Rows, answers, inputs and files are derived from them. */
const entities = '^src/entities/';
/** What a service may use of database/: copies of rows in memory, the news of their changes, and the other processes. */
const serviceParts = exactly(['cache', 'change-feed', 'peers'].map((name) => `src/database/processes/${name}.ts`));
/** Stores that services of features above hold: what they change there belongs into one transaction with their own. */
const sharedStores = exactly([
  'src/features/capacity/store.ts',
  'src/features/capacity/reservation-store.ts',
  'src/features/capacity/installation-store.ts',
  'src/features/capacity/hold-store.ts',
  'src/features/capacity/template-store.ts',
  'src/features/attempts/store.ts',
  'src/features/attempts/revision-store.ts',
  'src/features/attempts/solution-store.ts',
  'src/features/attempts/clock-store.ts',
  'src/features/exam-sessions/store.ts',
  'src/features/exam-sessions/access-store.ts',
  'src/features/exam-sessions/deadline-store.ts',
  'src/features/exam-sessions/session-log-store.ts',
  'src/features/exam-sessions/view-store.ts',
  'src/features/identity-providers/identity-store.ts',
  'src/features/classes/leaving-store.ts',
]);
/** Who sees and changes a class. The transactions of what belongs to a class decide by it. */
const classAccess = exactly(['src/features/classes/access-store.ts']);
/** What a feature declares and one adapter implements. What several implement is in ports/. */
const declared = exactly([
  'src/features/lesson-repositories/lesson-source.ts',
  'src/features/lesson-repositories/problems.ts',
  'src/features/mail/mailer.ts',
]);
/** The words that all parts share: who calls, which page, a row's or the configuration's type. Only their types are free. */
const vocabulary = exactly([
  'src/database/tables.ts',
  'src/http/access/access.ts',
  'src/http/lists/paging.ts',
  'src/config.ts',
]);

/** What the conversion knows of the service: the layout of content, and what an import of courses asks of it. */
const contentFormat = exactly([
  ...['content-folder', 'course-files', 'layout', 'problems', 'schema', 'yaml-file'].map(
    (name) => `src/features/content/${name}.ts`,
  ),
  ...['containers/file-rules', 'lessons/references', 'lesson-repositories/problems'].map(
    (name) => `src/features/${name}.ts`,
  ),
]);
const importOfCourses = ['^src/features/course-imports/', '^src/features/lesson-repositories/lesson-source\\.ts$'];

/** A room may import these paths of src/, and the types of those. */
function room(name: string, from: string, allowed: readonly string[], types = [vocabulary]): Rule[] {
  const inside = [foundation, entities, ...allowed];
  return [
    {
      name,
      severity: 'error',
      from: { path: from },
      to: { path: '^src/', pathNot: inside, dependencyTypesNot: ['type-only'] },
    },
    {
      name: `${name} (types)`,
      severity: 'error',
      from: { path: from },
      to: { path: '^src/', pathNot: [...inside, ...types], dependencyTypes: ['type-only'] },
    },
  ];
}

/** Only these paths may import a package. */
const packageRoom = (name: string, rooms: string[]): Rule => ({
  name: `package ${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: rooms },
  to: { path: `(^|/)node_modules/(@types/)?${name}/` },
});

const forbid = (name: string, from: Rule['from'], to: Rule['to']): Rule => ({ name, severity: 'error', from, to });

const rooms = [
  ...room('composition', '^src/compose[/.]', ['^src/(?!main\\.ts$|commands/)']),
  ...room('server', source('server'), ['^src/http/', source('config')]),
  ...room('work', source('work'), ['^src/database/']),
  ...room('configuration', '^src/config[/.]', ['^src/config/']),
  ...room('foundation', foundation, [], []),
  ...room('entities', entities, ['^src/http/protocol/(fields|schemas)\\.ts$'], []),
  ...room('http', '^src/http/', ['^src/(http|database)/']),
  ...room('database', '^src/database/', ['^src/database/']),
  ...room('ports', '^src/ports/', ['^src/ports/']),
  ...room('adapters', '^src/adapters/([^/]+)/', ['^src/ports/', '^src/adapters/(engine|$1)/', declared], []),
  ...room('routes', routes, ['^src/http/', '^src/features/']),
  ...room('schemas', schemas, ['^src/http/', '^src/features/']),
  ...room('services', services, ['^src/ports/', serviceParts, '^src/features/']),
  ...room('stores', stores, ['^src/database/', '^src/features/']),
  ...room('conversion', '^tools/conversion/(?!command\\.ts$)', [contentFormat], [vocabulary, ...importOfCourses]),
  forbid(
    'known rooms',
    {},
    {
      path: '^src/',
      pathNot: [
        source('(main|compose|server|work|config|errors)'),
        '^src/(commands|compose|config|entities|values|http|database|ports|adapters|features)/',
      ],
    },
  ),
];

const among = (name: string, from: string, allowed: string | string[]): Rule =>
  forbid(name, { path: from }, { path: '^src/features/', pathNot: allowed });
const amongFeatures = [
  among('routes among features', routes.replace('([^/]+)', '(?!admin/)([^/]+)'), [own, schemas]),
  among('routes of admin among features', routes.replace('([^/]+)', '(admin)'), [own, schemas, services]),
  among('schemas among features', schemas, [own, schemas]),
  among('services among features', services, [own, services, sharedStores]),
  among('stores among features', stores, [own, classAccess, sharedStores]),
  forbid('stores know no service', { path: stores }, { path: services }),
  forbid('features do not import routes', { path: '^src/features/' }, { path: routes }),
  among('known features', '^src/', `^src/features/${anyOf(features)}/`),
  ...features
    .slice(0, -1)
    .map((name, index) =>
      forbid(
        `features above ${name}`,
        { path: `^src/features/${name}/` },
        { path: `^src/features/${anyOf(features.slice(index + 1))}/` },
      ),
    ),
];

/** The way of the service to the conversion of foreign lessons. */
const conversion = exactly(['tools/conversion/markdown/repository.ts']);
/** Tools are commands beside the service. */
const tools = [
  forbid('tools are no part of the service', { path: '^src/' }, { path: '^(bench|test|tools)/', pathNot: conversion }),
  forbid('the composition hands the conversion on', { path: '^src/', pathNot: '^src/compose/' }, { path: conversion }),
  forbid('tools among tools', { path: '^tools/([^/]+)/' }, { path: ['^tools/(?!$1/)', '^(bench|images|test|web)/'] }),
  forbid('known tools', {}, { path: '^tools/', pathNot: '^tools/(main\\.ts$|conversion/|demonstration/|trials/)' }),
];

/** What every room may use of packages: limits, placeholders, and what a shell in a container offers. */
const forAll = '^packages/(?:limits/|placeholders/|ssh/container-shell\\.ts$)';
/** Packages know nothing of the service. The composition, the commands and adapters use them; others know their types. */
const outbuildings = [
  forbid(
    'packages are used by the composition',
    { path: '^src/', pathNot: ['^src/(compose|commands|adapters)[/.]', '\\.test\\.ts$'] },
    { path: '^packages/', pathNot: forAll, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'packages know nothing of the service',
    { path: '^packages/', pathNot: '\\.test\\.ts$' },
    { path: '^(src|tools|web|test|bench)/' },
  ),
  forbid('the client is copied alone', { path: '^client/' }, { path: '^(src|packages|tools|web|test|bench|images)/' }),
  forbid('packages among packages', { path: '^packages/([^/]+)/' }, { path: '^packages/(?!$1/)' }),
];

const packages = [
  packageRoom('dockerode', ['^src/(adapters/docker|commands)/']),
  packageRoom('@kubernetes/client-node', ['^src/adapters/kubernetes/']),
  packageRoom('ssh2', []),
  packageRoom('@aws-sdk/client-s3', ['^src/adapters/s3/']),
  packageRoom('kysely', ['^src/(database|compose)/', stores]),
  packageRoom('pg', ['^src/database/']),
  packageRoom('openid-client', ['^src/features/identity-providers/']),
  packageRoom('jose', ['^src/features/lti/']),
  packageRoom('@xterm/headless', []),
];

/** How wide characters are, and texts with values: the service and the pages draw the same. */
const drawnAlike = exactly(['packages/screens/character-widths.ts', 'packages/placeholders/placeholders.ts']);
const areasOf = (floors: readonly (readonly string[])[]): string => `^web/src/${anyOf(floors.flat())}/`;
const pages = [
  forbid('no Node in a browser', { path: '^web/src/' }, { dependencyTypes: ['core'] }),
  forbid(
    'pages are no part of the service',
    { path: '^web/src/' },
    { path: '^(src|packages|tools|test|bench|images|web/[^/]+$)', pathNot: drawnAlike },
  ),
  forbid('known areas', { path: '^web/src/' }, { path: '^web/src/[^/]+/', pathNot: areasOf(pageFloors) }),
  ...pageFloors.map((floor, index) =>
    forbid(
      `pages on floor ${index + 1}`,
      { path: `^web/src/(${floor.join('|')})/` },
      { path: '^web/src/', pathNot: [...(index === 0 ? [] : [areasOf(pageFloors.slice(0, index))]), '^web/src/$1/'] },
    ),
  ),
];

const configuration: IConfiguration & { forbidden: Rule[] } = {
  forbidden: [
    forbid('no circles', {}, { circular: true }),
    forbid('resolved', {}, { couldNotResolve: true }),
    // Biome's rule noProcessEnv sees the other ways to it.
    forbid('the environment', { path: '^(src|tools)/', pathNot: source('config') }, { path: '^(node:)?process$' }),
    ...rooms,
    ...amongFeatures,
    ...packages,
    ...outbuildings,
    ...tools,
    ...pages,
  ],
  options: {
    // Tests may import everything.
    exclude: { path: '\\.(test|fixture)\\.ts$|^web/(dist|\\.)' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

export default configuration;
