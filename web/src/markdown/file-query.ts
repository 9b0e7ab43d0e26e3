import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import type { Door } from '../teaching-model/door.ts';
import { referenceOf, type Source } from './parsing/references.ts';

/** A file that a lesson refers to. It is fetched with the user's token, so it cannot be a URL in the page. */
export const fileQuery = (door: Door, source: Source, relative: string) =>
  queryOptions({
    queryKey: ['lessons', 'file', source.lessonId ?? source.path, relative],
    queryFn: async ({ signal }): Promise<Blob> => {
      const address = addressOf(door, source, relative);
      return await ok(session.fetch(address, { signal }).then(read));
    },
    staleTime: 5 * 60_000,
  });

function addressOf(door: Door, source: Source, relative: string): string {
  // Slashes are escaped as well, because a browser would resolve `../` before it sends the URL.
  if (source.lessonId !== null) return `/api/lessons/themes/${source.lessonId}/files/${encodeURIComponent(relative)}`;
  const reference = referenceOf(relative.split('/').map(encodeURIComponent).join('/'), source);
  const path = reference.kind === 'file' ? reference.path : relative;
  return `${door.path('/api/admin/written-lessons/content')}?path=${encodeURIComponent(path)}`;
}

async function read(response: Response) {
  if (response.ok) return { data: await response.blob(), response };
  return { error: (await response.json().catch(() => undefined)) as unknown, response };
}

/** A blob's object URL, for the lifetime of the component. */
export function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [blob]);
  return url;
}
