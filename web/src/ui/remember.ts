/**
 * Settings that a browser stores between visits: choices of appearance, never anything secret. Everything works where the browser stores
 * nothing.
 */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Private windows and full storage.
  }
}

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** As `remember`, for this tab alone, until it is closed. */
export function rememberInTab(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // It is forgotten with a reload then.
  }
}

export function rememberedInTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
