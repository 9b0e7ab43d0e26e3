import { remember, remembered } from '../ui/remember.ts';

/** Whether and why the browser shows notifications. */
export type BrowserNotices = 'on' | 'off' | 'not-asked' | 'refused' | 'unsupported';

const setting = 'browser-notifications';

export function browserNotices(): BrowserNotices {
  if (!('Notification' in globalThis)) return 'unsupported';
  if (Notification.permission === 'denied') return 'refused';
  if (Notification.permission === 'default') return 'not-asked';
  return remembered(setting) === 'on' ? 'on' : 'off';
}

/** Asks for the permission if necessary. Only after a click of the user: browsers refuse it otherwise. */
export async function switchBrowserNotices(isOn: boolean): Promise<BrowserNotices> {
  if (isOn && browserNotices() === 'not-asked') await Notification.requestPermission();
  remember(setting, isOn && Notification.permission === 'granted' ? 'on' : null);
  return browserNotices();
}

/** Shows a notification outside of the page. @param key another one with it replaces it @param onClick after the window has the focus */
export function showBrowserNotice(title: string, body: string, key: string, onClick: () => void): void {
  if (browserNotices() !== 'on') return;
  try {
    const notice = new Notification(title, { body, tag: key });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
      onClick();
    });
  } catch {
    // Browsers of phones show notifications only of installed pages.
  }
}
