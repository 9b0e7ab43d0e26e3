import { lazyPage } from '../routing/lazy-page.ts';

const staff = ['learning', 'staff'] as const;

export const teachingRoutes = {
  '/teaching/grade-book': lazyPage(() => import('./grade-book-page.tsx'), 'GradeBookPage', staff),
  '/teaching/attempts': lazyPage(() => import('./attempts-page.tsx'), 'AttemptsPage', staff),
  '/teaching/attempts/$attemptId': lazyPage(() => import('./attempt-page.tsx'), 'AttemptPage', staff),
  '/teaching/grading': lazyPage(() => import('./attempt-page.tsx'), 'GradingPage', staff),
  '/teaching/regrades': lazyPage(() => import('./attempt-page.tsx'), 'RegradesPage', staff),
  '/teaching/regrades/$regradeId': lazyPage(() => import('./attempt-page.tsx'), 'RegradePage', staff),
  '/teaching/live': lazyPage(() => import('./live-page.tsx'), 'LivePage', staff),
  '/teaching/live/$containerId': lazyPage(() => import('./watch-page.tsx'), 'WatchPage', staff),
};
