import type { paths } from './schema.d.ts';

export type LoginAnswer = paths['/api/auth/login']['post']['responses'][200]['content']['application/json'];

/** The logged-in user, as the service returns it. */
export type User = LoginAnswer['user'];
