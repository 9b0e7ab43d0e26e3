import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * The migrated database that is the template of the others. No client connects to it, because PostgreSQL cannot copy a database in use.
 */
export const templateName = 'test_template';

export type TestDatabase = AsyncDisposable & { address: { connectionString: string } };

/** An empty, migrated database for the caller on the test run's PostgreSQL. Disposing drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await createDatabase(name, templateName);
  // Without a new identifier, every copy of the template would be the same installation, and would take over the others' containers.
  await onServer(addressOf(name).connectionString, (client) =>
    client.query('update installation set id = gen_random_uuid()'),
  );
  return {
    address: addressOf(name),
    [Symbol.asyncDispose]: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

export async function createDatabase(name: string, template = 'template0'): Promise<void> {
  // Copying the files costs less than copying each page through the log, which is the default.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
}

export function addressOf(name: string): { connectionString: string } {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('There is no test database: run tests with `npm test -- FILE...`, which starts one');
  return url;
}

/** Each connection costs PostgreSQL 5 ms, so those that create and drop databases are kept for a while. */
let administrators: pg.Pool | undefined;

async function administer(statement: string): Promise<void> {
  administrators ??= new pg.Pool({ connectionString: serverUrl(), max: 2, allowExitOnIdle: true }).on(
    'error',
    () => {},
  );
  await administrators.query(statement);
}

async function onServer(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
