import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { TerminalScreen } from '../../../../packages/screens/terminal-screens.ts';
import type { KeptOutput } from '../../../../packages/ssh/container-shell.ts';
import type { Size } from '../protocol.ts';
import type { HeldRow } from './store.ts';

const expand = promisify(inflateRaw);

/** Ends a sequence without effect, and the style and the scroll region that it may have been written in. */
const gap = Buffer.from('\x18\x1b[m\x1b[r\r\n');

/** A screen that another process has kept: a picture, and the output since. */
export type Restored = {
  sizes: { first: Size; last: Size };
  /** Output between the picture and what the holder has kept is missing. */
  hasGap: boolean;
  /** @returns what has to be added to an offset in the output of the screen to get the offset in the output of the shell */
  drawOn(screen: TerminalScreen): number;
};

export async function restoredScreen(
  { picture, picture_at, cols, rows }: Pick<HeldRow, 'picture' | 'picture_at' | 'cols' | 'rows'>,
  { start, size, parts }: KeptOutput,
): Promise<Restored> {
  const drawn = picture ? await expand(picture) : undefined;
  const first = drawn ? { cols, rows } : size;
  const hasGap = start > picture_at;
  return {
    sizes: { first, last: parts.findLast((part): part is Size => !Buffer.isBuffer(part)) ?? size },
    hasGap,
    drawOn: (screen) => {
      const before = [...(drawn ? [drawn] : []), ...(hasGap ? [gap] : [])];
      for (const bytes of before) screen.write(bytes);
      screen.resize(size);
      for (const part of parts) {
        if (Buffer.isBuffer(part)) screen.write(part);
        else screen.resize(part);
      }
      return start - before.reduce((sum, { length }) => sum + length, 0);
    },
  };
}
