import type { Strings } from '../en/index.ts';
import { account } from './account.ts';
import { administration } from './administration.ts';
import { attempts } from './attempts.ts';
import { authoring } from './authoring.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { errors } from './errors.ts';
import { exams } from './exams.ts';
import { laboratories } from './laboratories.ts';
import { lessons } from './lessons.ts';
import { profile } from './profile.ts';
import { sandboxes } from './sandboxes.ts';
import { teaching } from './teaching.ts';
import { terminal } from './terminal.ts';

export const ru: Strings = {
  ...{ account, administration, attempts, authoring, common, dashboard, errors, exams },
  ...{ laboratories, lessons, profile, sandboxes, teaching, terminal },
};
