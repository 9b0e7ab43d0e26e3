import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ExpiredSession } from './account/expired-session.tsx';
import { followSystem } from './layout/appearance.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { session } from './session/session.ts';
import { StringsProvider } from './strings/use-strings.tsx';
import { Toasts } from './ui/toasts.tsx';

// The service was updated while the page was open, and the requested chunk has another name now.
addEventListener('vite:preloadError', (event) => {
  event.preventDefault();
  location.reload();
});

// No data that one user has fetched is shown to the next.
let lastUser: number | undefined;
session.subscribe(() => {
  const { state } = session;
  const user = state.status === 'in' || state.status === 'expired' ? state.user.id : undefined;
  if (user !== lastUser && lastUser !== undefined) queryClient.clear();
  lastUser = user;
  if (state.status === 'out') void router.invalidate();
});

followSystem();
await session.restore();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <StringsProvider>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <RouterProvider router={router} />
          <ExpiredSession />
        </Toasts>
      </QueryClientProvider>
    </StringsProvider>
  </StrictMode>,
);
