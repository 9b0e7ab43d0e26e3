import type { Readable } from 'node:stream';

/** A channel of ssh2: its client pushes what arrives. */
type Channel = Readable & { push: (chunk: Buffer | null) => boolean };

/**
 * Drops what a channel receives up to a mark. OpenSSH's server runs /etc/ssh/sshrc before each command, into the same output, and has no
 * option against it. Root of a container can write that file.
 * @param mark Latin-1
 */
export function outputAfterMark<Each extends Channel>(channel: Each, mark: string): Each {
  const push = channel.push.bind(channel);
  let end: Buffer = Buffer.alloc(0);
  channel.push = (chunk) => {
    if (chunk === null) return push(null);
    const received = Buffer.concat([end, chunk]);
    const at = received.indexOf(mark, 0, 'latin1');
    if (at < 0) {
      end = received.subarray(Math.max(0, received.length - mark.length + 1));
      return true;
    }
    channel.push = push;
    const rest = received.subarray(at + mark.length);
    return rest.length === 0 || push(rest);
  };
  return channel;
}
