import type { paths } from '../api/schema.d.ts';

export type LoginAnswer = paths['/api/auth/login']['post']['responses'][200]['content']['application/json'];

/** Who is logged in, as the service describes them. */
export type User = LoginAnswer['user'];
