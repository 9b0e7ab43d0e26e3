import type { Strings } from '../en/index.ts';
import { account } from './account.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { errors } from './errors.ts';
import { lessons } from './lessons.ts';

export const first: Pick<Strings, 'account' | 'common' | 'dashboard' | 'errors' | 'lessons'> = {
  account,
  common,
  dashboard,
  errors,
  lessons,
};
