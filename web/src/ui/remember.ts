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
