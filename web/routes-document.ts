import { pino } from 'pino';
import { composeRoutes } from '../src/compose/routes.ts';
import { loadConfig } from '../src/config.ts';
import { CourseDoorkeeper, type DoorParts } from '../src/features/course-staff/doorkeeper.ts';
import { buildServer } from '../src/server.ts';

type Parts = Parameters<typeof composeRoutes>[0];
const kinds = ['exam', 'laboratory'] as const;

/**
 * The API document of a service that has no database and no engine. Routes use the services when they are called, and none is called here.
 * What they use when they are declared is given. test/web/api-types.test.ts compares the document with that of a running service.
 */
export async function documentOfRoutes(): Promise<unknown> {
  const assessments = kinds.map((kind) => {
    const part = standIn({ kind });
    return { service: part, attempts: part, answers: part, admin: part, files: part };
  });
  const config = loadConfig({});
  const app = await buildServer({
    config,
    log: pino({ level: 'silent' }),
    authenticate: () => Promise.reject(new Error('there are no users')),
    doorkeeper: new CourseDoorkeeper(standIn({}) as DoorParts),
    routes: composeRoutes(standIn({ config, assessments }) as Parts),
  });
  await app.ready();
  return app.swagger();
}

/** Takes the place of a part: whatever it is asked for is one again, and a limit (`max...`) is a number. */
function standIn(known: Record<string, unknown>): unknown {
  const of = (name: string | symbol): unknown => {
    if (typeof name === 'symbol') return undefined;
    if (name in known) return known[name];
    return /^max[A-Z]/.test(name) ? 1 : standIn({});
  };
  return new Proxy(() => undefined, {
    get: (_target, name) => of(name),
    apply: () => standIn({}),
  });
}
