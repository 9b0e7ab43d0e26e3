import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { type SmallServer, smallServer } from '../../../test/small-server.ts';

const Body = Type.Object({ name: Type.String() });
const server = (): Promise<SmallServer> =>
  smallServer(async (app) => {
    app.post('/texts', { config: { access: 'user' }, schema: { body: Body } }, () => 'ok');
  });
/** The most expensive text to read: half a million escapes. */
const large = JSON.stringify({ name: '"'.repeat(450_000) });
const small = JSON.stringify({ name: 'x' });

describe('large bodies', () => {
  const sender = ({ app }: SmallServer) => {
    const ended: string[] = [];
    const send = async (who: string, payload: string, role = 'student') => {
      const headers = { authorization: `Bearer ${role}`, 'content-type': 'application/json' };
      const { statusCode } = await app.inject({ method: 'POST', url: '/texts', payload, headers });
      ended.push(who);
      return statusCode;
    };
    return { ended, send };
  };

  it('are read one after another, and small ones in between', async () => {
    await using service = await server();
    const { ended, send } = sender(service);
    const bodies = [1, 2, 3, 4].map((number) => send(`large ${number}`, large));
    const statuses = await Promise.all([...bodies, send('small', small)]);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    const place = ended.indexOf('small');
    assert.ok(place < 2, ended.join(', '));
    ended.splice(place, 1);
    assert.deepEqual(ended, ['large 1', 'large 2', 'large 3', 'large 4']);
  });

  it('give turns to clients, not to requests', async () => {
    await using service = await server();
    const { ended, send } = sender(service);
    const bodies = [1, 2, 3, 4].map((number) => send(`student ${number}`, large));
    await Promise.all([...bodies, send('instructor', large, 'instructor')]);
    assert.ok(ended.indexOf('instructor') <= 2, ended.join(', '));
  });

  it('are refused as forms: the login, which takes one, is short', async () => {
    await using service = await server();
    const headers = { authorization: 'Bearer student', 'content-type': 'application/x-www-form-urlencoded' };
    const send = async (payload: string) =>
      (await service.app.inject({ method: 'POST', url: '/texts', payload, headers })).statusCode;
    assert.equal(await send(`name=${'%22'.repeat(300_000)}`), 413);
    assert.equal(await send(`name=${'%22'.repeat(1000)}`), 200);
  });

  it('are refused like small ones', async () => {
    await using service = await server();
    const { send } = sender(service);
    assert.equal(await send('', `{"name":"${'x'.repeat(100_000)}`), 422);
    assert.equal(await send('', `[${'0,'.repeat(100_000)}0]`), 422);
    assert.equal(await send('', `{"name":${'9'.repeat(100_000)}}`), 422);
    assert.equal(await send('', `{"__proto__":{},"name":"${'x'.repeat(100_000)}"}`), 422);
  });
});
