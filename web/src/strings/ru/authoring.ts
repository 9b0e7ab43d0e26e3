import type { Strings } from '../en/index.ts';
import { courses } from './authoring/courses.ts';
import { fields } from './authoring/fields.ts';
import { sources } from './authoring/sources.ts';
import { subjects } from './authoring/subjects.ts';
import { trials } from './authoring/trials.ts';

export const authoring: Strings['authoring'] = { ...sources, ...fields, ...courses, ...subjects, ...trials };
