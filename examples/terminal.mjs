// A terminal in your terminal: node examples/terminal.mjs ADDRESS CONTAINER_ID, with the token in the variable TOKEN.
// It speaks the protocol of docs/terminal.md in its raw form: bytes both ways, JSON only to resize.
import process from 'node:process';
import { WebSocket } from 'ws';

const [address = 'http://127.0.0.1:8000', container] = process.argv.slice(2);
if (!container || !process.env.TOKEN) {
  process.stderr.write('Usage: TOKEN=... node examples/terminal.mjs ADDRESS CONTAINER_ID\n');
  process.exit(2);
}
const { stdin, stdout } = process;
const query = new URLSearchParams({ token: process.env.TOKEN, cols: stdout.columns ?? 80, rows: stdout.rows ?? 24 });
const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/ws/terminal/${container}?${query}`);

socket.on('open', () => {
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on('data', (bytes) => socket.send(bytes, { binary: true }));
  // Lines from a pipe: the shell ends after the last one.
  if (!stdin.isTTY) stdin.on('end', () => socket.send(Buffer.from('exit\n'), { binary: true }));
  stdout.on('resize', () => socket.send(JSON.stringify({ type: 'resize', cols: stdout.columns, rows: stdout.rows })));
});
socket.on('message', (bytes) => stdout.write(bytes));
socket.on('error', (error) => process.stderr.write(`${error.message}\n`));
socket.on('close', (code, reason) => {
  if (stdin.isTTY) stdin.setRawMode(false);
  if (code !== 1000) process.stderr.write(`closed: ${code} ${reason}\n`);
  process.exit(code === 1000 ? 0 : 1);
});
