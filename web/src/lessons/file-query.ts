import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ok } from '../api/problem.ts';
import { session } from '../session/session.ts';
import type { Source } from './references.ts';

/** A file that a lesson refers to. It is fetched with the user's token, so it cannot be a URL in the page. */
export const fileQuery = ({ themeId }: Source, relative: string) =>
  queryOptions({
    queryKey: ['lessons', 'file', themeId, relative],
    queryFn: async ({ signal }): Promise<Blob> => {
      // Slashes are escaped as well, because a browser would resolve `../` before it sends the URL.
      const address = `/api/lessons/themes/${themeId}/files/${encodeURIComponent(relative)}`;
      return await ok(session.fetch(address, { signal }).then(read));
    },
    staleTime: 5 * 60_000,
  });

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
