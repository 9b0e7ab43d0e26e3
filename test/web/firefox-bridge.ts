#!/usr/bin/env node
/**
 * Runs Firefox for Playwright: `firefox-bridge.ts ARGUMENT...` starts the program named by `FIREFOX` with the same arguments.
 * Playwright speaks WebDriver BiDi and uses a command that Debian's Firefox does not have yet. Such a refusal is answered as success; a Firefox
 * that has the command obeys it. Everything else passes unchanged.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

type Message = { id?: number; method?: string; type?: string; error?: string };

/** The theme and reduced motion: `launchFirefox` sets both as preferences. */
const dispensable = 'emulation.setMediaFeaturesOverride';
const announcement = 'WebDriver BiDi listening on ';

const program = process.env['FIREFOX'] ?? '';
const firefox = spawn(program, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.once('error', (error) => {
  process.stderr.write(`${program} does not start: ${error.message}\n`);
  process.exit(1);
});
// The sockets are of no use without it.
firefox.once('exit', (code) => process.exit(code ?? 1));

for await (const line of createInterface({ input: firefox.stderr })) {
  if (!line.startsWith(announcement)) process.stderr.write(`${line}\n`);
  else open(line.slice(announcement.length));
}

/** Announces an address of this process in place of Firefox'. @param address such as ws://127.0.0.1:40000 */
function open(address: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.once('listening', () => {
    const { port } = server.address() as { port: number };
    process.stderr.write(`${announcement}ws://127.0.0.1:${port}\n`);
  });
  server.on('connection', (client, { url }) => join(client, new WebSocket(`${address}${url}`)));
}

function join(client: WebSocket, browser: WebSocket): void {
  const asked = new Set<number>();
  const opened = new Promise((resolve) => browser.once('open', resolve));
  client.on('message', (data: Buffer) => {
    const text = data.toString();
    if (text.includes(dispensable)) {
      const { id, method } = JSON.parse(text) as Message;
      if (method === dispensable && id !== undefined) asked.add(id);
    }
    void opened.then(() => browser.send(text));
  });
  browser.on('message', (data: Buffer) => {
    const text = data.toString();
    if (asked.size === 0) return client.send(text);
    const { id, type, error } = JSON.parse(text) as Message;
    const isRefused = id !== undefined && asked.delete(id) && type === 'error' && error === 'unknown command';
    client.send(isRefused ? JSON.stringify({ type: 'success', id, result: {} }) : text);
  });
  client.once('close', () => browser.close());
  browser.once('close', () => client.close());
  for (const socket of [client, browser]) socket.on('error', (error) => process.stderr.write(`${error.message}\n`));
}
