import { fileURLToPath } from 'node:url';
import { hashSync } from '@node-rs/bcrypt';
import { withDatabase } from '../src/commands/open-database.ts';
import { loadConfig } from '../src/config.ts';
import type { Database } from '../src/database/connection/connect.ts';
import { ContentService } from '../src/features/content/service.ts';
import { ContentStore } from '../src/features/content/store.ts';
import { type Filled, fill } from '../tools/demonstration/fill.ts';
import { DemonstrationStore } from '../tools/demonstration/store.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { TestServer, type TestUser } from './server.ts';

const folder = (name: string): string => fileURLToPath(new URL(`../content${name}`, import.meta.url));
const password = 'password of everybody';

/** A service with the data of `npm run demo`. */
export class Demonstration implements AsyncDisposable {
  readonly server: TestServer;
  readonly filled: Filled;
  readonly #database: TestDatabase;

  private constructor(server: TestServer, filled: Filled, database: TestDatabase) {
    this.server = server;
    this.filled = filled;
    this.#database = database;
  }

  static async open(): Promise<Demonstration> {
    await using cleanup = new AsyncDisposableStack();
    const database = cleanup.use(await createTestDatabase());
    const filled = await withDatabase(database.address, async (db) => {
      await new ContentService(new ContentStore(db, loadConfig({}).catalogue)).seedContent(folder(''));
      return await fillNow(db);
    });
    const server = await TestServer.start({}, { database: database.address });
    cleanup.move();
    return new Demonstration(server, filled, database);
  }

  /** A session of one of its users. */
  async as(username: string): Promise<TestUser> {
    const { auth, db } = this.server.application;
    const user = await db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow();
    const { access_token: token } = await auth.refresh({ ...user, login: username });
    return { id: user.id, username, email: user.email, password, token };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }
}

/** Fills a database as the command does. */
export async function fillNow(db: Database): Promise<Filled> {
  const hash = hashSync(password, { cost: 4 });
  return await fill(new DemonstrationStore(db), {
    ...{ seed: 1, now: new Date(), lessons: folder('/lessons') },
    administrator: { username: 'admin', email: 'admin@example.com', full_name: 'Administrator' },
    hashes: { admin: hash, instructor: hash, student: hash },
  });
}
