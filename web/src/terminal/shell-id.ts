/** The id of the shell that this tab resumes after a reload. It is in sessionStorage, and is worthless without the token. */
export class ShellId {
  readonly #key: string;

  constructor(containerId: number) {
    this.#key = `terminal-${containerId}`;
  }

  get value(): string | undefined {
    try {
      return sessionStorage.getItem(this.#key) ?? undefined;
    } catch {
      return undefined;
    }
  }

  set value(id: string | undefined) {
    try {
      if (id === undefined) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, id);
    } catch {
      // Without it a reload opens a new shell.
    }
  }
}
