export { account } from './account.ts';
export { common } from './common.ts';
export { dashboard } from './dashboard.ts';
export { errors } from './errors.ts';
export { lessons } from './lessons.ts';
