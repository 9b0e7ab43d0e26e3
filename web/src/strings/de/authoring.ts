import type { Strings } from '../en/index.ts';
import { assessments } from './authoring/assessments.ts';
import { courses } from './authoring/courses.ts';
import { fields } from './authoring/fields.ts';
import { images } from './authoring/images.ts';
import { sources } from './authoring/sources.ts';
import { staff } from './authoring/staff.ts';
import { taskTemplates } from './authoring/task-templates.ts';
import { trials } from './authoring/trials.ts';

export const authoring: Strings['authoring'] = {
  ...sources,
  ...fields,
  ...images,
  ...courses,
  ...assessments,
  ...staff,
  ...taskTemplates,
  ...trials,
};
