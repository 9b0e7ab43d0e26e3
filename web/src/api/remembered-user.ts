/** The keys in the browser's storage. */
const key = 'session-user';
const providerKey = 'session-provider';

/**
 * The id of the user that this browser is logged in as. The login itself is in a cookie that no script can read. A page uses the cookie only for
 * the user of this note, which another host of the same domain cannot write: a cookie that it has set logs nobody in. Undefined without a
 * note, and where the browser stores nothing.
 */
export function rememberedUser(): number | undefined {
  try {
    return Number(localStorage.getItem(key)) || undefined;
  } catch {
    return undefined;
  }
}

/** @param id null for a log-out */
export function rememberUser(id: number | null): void {
  try {
    localStorage.removeItem(providerKey);
    if (id === null) localStorage.removeItem(key);
    else localStorage.setItem(key, `${id}`);
  } catch {
    // The login ends with the page.
  }
}

/** The short name of the identity provider with which this browser has logged in. Undefined: with a password. */
export function rememberedProvider(): string | undefined {
  try {
    return localStorage.getItem(providerKey) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Called when another tab has logged in or out. */
export function onOtherUser(listener: (id: number | undefined) => void): void {
  addEventListener('storage', (event) => {
    if (event.key === key) listener(Number(event.newValue) || undefined);
  });
}
