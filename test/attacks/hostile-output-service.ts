/** The service in a separate process, with containers for terminals. It sends their addresses to its parent and ends with it. */
import { once } from 'node:events';
import { TestServer } from '../server.ts';

export type HostedTerminals = { url: string; token: string; hostile: number; quiet: number };

const server = await TestServer.start(
  {
    ...{ maxTerminalsPerUser: 40, maxTerminalsPerContainer: 40, SANDBOXES_PER_USER: '2' },
    REQUESTS_PER_MINUTE: '100000000',
  },
  {},
  1,
);
const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 512, cpus: 1 };
await server.application.db.insertInto('sandbox_templates').values(template).execute();
const { token } = await server.user();
const create = async (): Promise<number> => (await server.post('/api/containers/create', token, {})).body.id;
process.send?.({ url: server.url, token, hostile: await create(), quiet: await create() } satisfies HostedTerminals);
await once(process, 'disconnect');
await server[Symbol.asyncDispose]();
process.exit(0);
