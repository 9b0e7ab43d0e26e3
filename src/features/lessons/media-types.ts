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

/** Without parameters and without duplicates. */
export const servedTypes = [...new Set(Object.values(mediaTypes).map((type) => type.replace(/;.*/, '')))];

/** Undefined for a file that is not served. */
export function mediaTypeOf(path: string): string | undefined {
  return mediaTypes[extname(path).toLowerCase()];
}
