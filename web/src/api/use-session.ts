import { useSyncExternalStore } from 'react';
import { type SessionState, session } from './session.ts';
import type { User } from './user.ts';

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.getState);

/** The user, on pages that require a login. */
export function useUser(): User {
  const state = useSession();
  if (state.status === 'in' || state.status === 'expired') return state.user;
  throw new Error('This page is for users who are logged in');
}
