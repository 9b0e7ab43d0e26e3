import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';

export type Profile = Answer<'/api/profile/me'>;

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => ok(api.GET('/api/profile/me', { signal })),
});

export const secondFactorQuery = queryOptions({
  queryKey: ['profile', 'second-factor'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/totp', { signal })),
});

export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/sessions', { signal })),
});

/** Shows a changed profile on its page and in the bar at the top. */
export function useProfileChange(): (profile: Profile) => void {
  const client = useQueryClient();
  return useCallback(
    (profile) => {
      client.setQueryData(profileQuery.queryKey, profile);
      const { bio: _bio, has_password: _has, ...user } = profile;
      session.changeUser(user);
    },
    [client],
  );
}

export const saveProfile = (body: { full_name: string | null; email: string; bio: string }): Promise<Profile> =>
  ok(api.PUT('/api/profile/me', { body }));

export function uploadAvatar(picture: Blob): Promise<Profile> {
  const form = new FormData();
  form.append('file', picture, 'picture');
  // The document types the field as a string, but the form is sent.
  return ok(api.POST('/api/profile/avatar', { body: { file: '' }, bodySerializer: () => form }));
}

export const removeAvatar = (): Promise<Profile> => ok(api.DELETE('/api/profile/avatar'));
