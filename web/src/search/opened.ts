import { rememberedInTab, rememberInTab } from '../ui/remember.ts';

/** What the user opened from the search. */
export type Opened = { title: string; where: string[]; href: string };

const most = 6;
/** Of one user: another one may log in in the same tab. */
const nameOf = (userId: number): string => `search-opened-${userId}`;

/** What was opened last in this tab, the newest first. */
export function openedBy(userId: number): Opened[] {
  try {
    return JSON.parse(rememberedInTab(nameOf(userId)) ?? '[]') as Opened[];
  } catch {
    return [];
  }
}

export function rememberOpened(userId: number, opened: Opened): void {
  const others = openedBy(userId).filter(({ href }) => href !== opened.href);
  rememberInTab(nameOf(userId), JSON.stringify([opened, ...others].slice(0, most)));
}
