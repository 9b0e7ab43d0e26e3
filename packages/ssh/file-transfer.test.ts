import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { ClientChannel } from 'ssh2';
import { ShellConnectionLostError } from './container-shell.ts';
import { FileTransfer } from './file-transfer.ts';

/** A channel on which a container sends what it likes. */
function transferOf(sent: string, status: number | null = 0): FileTransfer {
  const channel = Object.assign(new PassThrough(), { stderr: new PassThrough() });
  const transfer = new FileTransfer(channel as unknown as ClientChannel);
  if (status !== null) channel.emit('exit', status);
  channel.end(sent);
  return transfer;
}

async function contentOf(transfer: FileTransfer, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await transfer.read(most)).content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const path = Buffer.from('/x').toString('base64');
const lost = (error: unknown) => error instanceof ShellConnectionLostError;

describe('the answer of a container to a transfer', () => {
  it('is a line and the content, which is whole if the script has ended well', async () => {
    assert.equal(await contentOf(transferOf(`ok 4 ${path}\ntext`), 4), 'text');
    for (const status of [null, 1, 137])
      await assert.rejects(contentOf(transferOf(`ok 4 ${path}\nte`, status), 4), lost);
  });

  it('has no more content than permitted, whatever was announced', async () => {
    await assert.rejects(contentOf(transferOf(`ok 4 ${path}\n${'x'.repeat(5)}`), 4), { reason: 'large' });
  });

  it('is refused in every other form', async () => {
    await assert.rejects(transferOf('no denied\n').read(4), { reason: 'denied' });
    for (const sent of [
      '',
      'ok',
      'ok 4\n',
      `ok -1 ${path}\n`,
      `ok 4 ${path}`,
      'no such\n',
      'no constructor\n',
      'x'.repeat(100_000),
    ])
      await assert.rejects(transferOf(sent).read(4), lost, sent.slice(0, 20));
  });
});
