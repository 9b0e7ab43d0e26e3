export type TarEntry = { name: string; bytes: number; modified: Date };

const blockBytes = 512;

/** Two empty blocks: the end of an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** Padding from the end of a file to the next block. */
export const tarPadding = (bytes: number): Buffer => Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);

/** The name in two fields: its end, and what is before the slash between them. Undefined: it is too long. */
function fieldsOf(name: string): { name: string; prefix: string } | undefined {
  if (Buffer.byteLength(name) <= 100) return { name, prefix: '' };
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
    const [prefix, end] = [name.slice(0, slash), name.slice(slash + 1)];
    if (Buffer.byteLength(end) <= 100 && end !== '')
      return Buffer.byteLength(prefix) <= 155 ? { name: end, prefix } : undefined;
  }
  return undefined;
}

/** Whether `tarHeader` can write the name. */
export const fitsTar = (name: string): boolean => fieldsOf(name) !== undefined;

/** The POSIX.1-1988 (ustar) header of a plain file that only its owner may read. Every tar can read it. */
export function tarHeader({ name, bytes, modified }: TarEntry): Buffer {
  const fields = fieldsOf(name);
  if (!fields || bytes >= 8 ** 11) throw new Error(`${name} does not fit into the archive`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void =>
    void header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  header.write(fields.name, 0);
  header.write(fields.prefix, 345);
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(Math.floor(modified.getTime() / 1000), 136, 12);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** @returns undefined at the end of the archive @throws Error for anything but the header of a plain file */
export function parseTarHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const text = (at: number, length: number) => header.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const number = (at: number, length: number) => Number.parseInt(text(at, length).trim() || '0', 8);
  if (number(148, 8) !== checksumOf(header) || !['0', ''].includes(text(156, 1)))
    throw new Error('a header is damaged');
  const name = [text(345, 155), text(0, 100)].filter(Boolean).join('/');
  return { name, bytes: number(124, 12), modified: new Date(1000 * number(136, 12)) };
}

/** The sum of all bytes, with the checksum field counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 32;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}
