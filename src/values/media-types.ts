import { extname } from 'node:path/posix';

/** The media types that a lesson may show beside its text. None of them can run in a browser as a page or a script of this service. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
};

/** A file that is not shown: browsers save it, and run nothing of it. */
export const downloadType = 'application/octet-stream';

/** Without parameters and without duplicates. */
export const servedTypes = [...new Set(Object.values(mediaTypes).map((type) => type.replace(/;.*/, '')))];

/** How a file that a lesson links is served. Undefined for another lesson. */
export function linkedTypeOf(path: string): string | undefined {
  return mediaTypeOf(path) ?? (/\.(?:md|markdown|mdx)$/i.test(path) ? undefined : downloadType);
}

/** The small text that Git has in place of a file which Git LFS keeps elsewhere. */
export const isLfsPointer = (content: Buffer | string): boolean =>
  content.length < 1024 && content.toString().startsWith('version https://git-lfs.github.com/spec/');

/** Undefined for a file that a lesson does not show. */
export function mediaTypeOf(path: string): string | undefined {
  return mediaTypes[extname(path).toLowerCase()];
}
