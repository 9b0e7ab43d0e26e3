/**
 * What a personal token may be used for: reading and changing as a student does, the content of courses, the students of the caller and
 * their results, administration. None contains another.
 */
export const tokenScopes = ['read', 'write', 'content', 'grades', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];
