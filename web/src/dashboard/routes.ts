import { lazyPage } from '../routing/lazy-page.ts';

export const dashboardRoutes = {
  '/': lazyPage(() => import('./dashboard-page.tsx'), 'DashboardPage', []),
};
