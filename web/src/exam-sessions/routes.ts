import { lazyPage } from '../routing/lazy-page.ts';

/** The forms of these pages use texts of the staff's pages. */
const staff = ['learning', 'staff'] as const;

export const examSessionRoutes = {
  '/classes/$classId/sessions/$sessionId': lazyPage(() => import('./room/room-page.tsx'), 'RoomPage', staff),
  '/exam-sessions/$sessionId': lazyPage(() => import('./room/room-page.tsx'), 'ChosenRoomPage', staff),
  '/plan-exam': lazyPage(() => import('./plan-page.tsx'), 'PlanPage', staff),
};
