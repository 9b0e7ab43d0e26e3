import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { closeCodes, TerminalClosedError } from '../protocol.ts';
import { type RelayPass, RelayPasses } from './passes.ts';

const secretKey = 'the same in all processes of the service';
const pass: RelayPass = {
  containerId: 5,
  protocol: 'terminal.v1',
  claims: { userId: 7, login: 'one', issuedAt: 1000, expiresAt: 2000 },
  size: { cols: 90, rows: 20 },
  sessionId: 'abc-_',
};
const request = { containerId: 5, protocol: 'terminal.v1' };
const isRefused = (error: unknown) => error instanceof TerminalClosedError && error.code === closeCodes.forbidden;

describe('passes from process to process', () => {
  const [here, there] = [new RelayPasses(secretKey), new RelayPasses(secretKey)];

  it('return the signed content once', () => {
    const header = here.sign(there.challenge(), pass);
    const { challenge, ...accepted } = there.accept(header, request) as RelayPass & { challenge: string };
    assert.deepEqual([accepted, challenge.length], [pass, 24]);
    assert.throws(() => there.accept(header, request), isRefused);
  });

  it('are valid only in the process that issued the challenge', () => {
    const header = here.sign(there.challenge(), pass);
    assert.throws(() => here.accept(header, request), isRefused);
    assert.throws(() => new RelayPasses(secretKey).accept(header, request), isRefused);
    there.accept(header, request);
    assert.throws(() => there.accept(here.sign('made up', pass), request), isRefused);
  });

  it('are invalid for another container or subprotocol, and are spent by the attempt', () => {
    for (const other of [
      { ...request, containerId: 6 },
      { ...request, containerId: undefined },
      { ...request, protocol: '' },
    ]) {
      const header = here.sign(there.challenge(), pass);
      assert.throws(() => there.accept(header, other), isRefused);
      assert.throws(() => there.accept(header, request), isRefused);
    }
  });

  it('are invalid with a changed bit, truncated, extended, or signed with another key', () => {
    const challenge = there.challenge();
    const header = here.sign(challenge, pass);
    for (let at = 0; at < header.length; at += 1) {
      const other = header[at] === 'A' ? 'B' : 'A';
      const changed = `${header.slice(0, at)}${other}${header.slice(at + 1)}`;
      // The last character of a signature has two unused bits.
      if (at < header.length - 1) assert.throws(() => there.accept(changed, request), isRefused, `${at}`);
      assert.throws(() => there.accept(header.slice(0, at), request), isRefused, `${at}`);
    }
    assert.throws(() => there.accept(`${header}AAAA`, request), isRefused);
    assert.throws(() => there.accept(new RelayPasses(`${secretKey}!`).sign(challenge, pass), request), isRefused);
    assert.throws(
      () => there.accept(here.sign(challenge, { ...pass, sessionId: 'a'.repeat(3000) }), request),
      isRefused,
    );
    // None of these attempts has used up the challenge.
    there.accept(header, request);
  });

  it('expire by the clock of the accepting process only', async () => {
    const quick = new RelayPasses(secretKey, { ttl: 1 });
    const header = here.sign(quick.challenge(), pass);
    await delay(20);
    assert.throws(() => quick.accept(header, request), isRefused);
  });

  it('are limited in number: the oldest is dropped', () => {
    const small = new RelayPasses(secretKey, { max: 2 });
    const headers = [1, 2, 3].map(() => here.sign(small.challenge(), pass));
    assert.throws(() => small.accept(headers[0] ?? '', request), isRefused);
    for (const header of headers.slice(1)) small.accept(header, request);
  });
});
