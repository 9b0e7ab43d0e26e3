import { hash } from 'node:crypto';

/** The magic bytes of each format, and how names of such files end. */
const formats: readonly [string, (bytes: Buffer) => boolean][] = [
  ['.png', (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['.jpg', (bytes) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff'],
  ['.gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['.webp', (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12))],
];
const maxName = 60;

/** How the name of a picture ends, by its content. Undefined for a file that is none. */
export const pictureEnding = (bytes: Buffer): string | undefined => formats.find(([, isOf]) => isOf(bytes))?.[0];

/** Where a picture is stored. Another content has another path, so that pictures of the same name stay apart. */
export function picturePath(name: string, bytes: Buffer, ending: string): string {
  const words =
    name
      .normalize('NFC')
      .replace(/\.[^.]*$/, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = words.join('-').slice(0, maxName) || 'picture';
  return `pictures/${stem}-${hash('sha256', bytes).slice(0, 8)}${ending}`;
}
