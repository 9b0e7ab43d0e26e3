import { lazyPage } from '../routing/lazy-page.ts';

export const sandboxRoutes = {
  '/sandboxes': lazyPage(() => import('./sandboxes-page.tsx'), 'SandboxesPage'),
  '/sandboxes/$containerId': lazyPage(() => import('./sandbox-page.tsx'), 'SandboxPage'),
};
