import { QueryClient } from '@tanstack/react-query';
import { TooLate } from './in-time.ts';
import { Problem } from './problem.ts';

const retries = 3;

/** Only transient errors are retried automatically: no answer, and "not now". */
const isPassing = (error: unknown): boolean =>
  error instanceof Problem && !(error instanceof TooLate) && (error.status === 0 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < retries && isPassing(error),
      retryDelay: (failures, error) =>
        1000 * (error instanceof Problem && error.retryAfter ? Math.min(error.retryAfter, 10) : 2 ** failures),
    },
    // A mutation is never repeated without the user's action.
    // Without a connection it fails at once: otherwise it would seem to be under way, and would be sent at any later time.
    mutations: { retry: false, networkMode: 'always' },
  },
});
