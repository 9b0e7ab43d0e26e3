import { livingShells } from './living-shells.ts';

/** The shell that a connection resumes. */
export type KeptShell = {
  value: string | undefined;
  /** Another shell of the container without a client. Undefined where there is none, or nobody knows. */
  findOther?: () => Promise<string | undefined>;
};

const keyOf = (containerId: number, tab: number): string =>
  tab === 1 ? `terminal-${containerId}` : `terminal-${containerId}-${tab}`;

/** The id of the shell that a tab of the terminal resumes after a reload. It is in sessionStorage, and is worthless without the token. */
export class ShellId implements KeptShell {
  readonly #containerId: number;
  readonly #key: string;

  constructor(containerId: number, tab: number) {
    this.#containerId = containerId;
    this.#key = keyOf(containerId, tab);
  }

  get value(): string | undefined {
    return readStored(this.#key);
  }

  set value(id: string | undefined) {
    writeStored(this.#key, id);
  }

  async findOther(): Promise<string | undefined> {
    const own = storedIds(this.#containerId);
    return (await livingShells(this.#containerId)).find(({ id, is_connected }) => !is_connected && !own.includes(id))
      ?.id;
  }
}

/** The shells of all tabs of the terminal. Empty on the first visit in this tab of the browser. */
export const storedIds = (containerId: number): string[] =>
  storedTabs(containerId).all.flatMap(({ number }) => readStored(keyOf(containerId, number)) ?? []);

/** Makes these shells the tabs of the terminal. */
export function adoptShells(containerId: number, ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) writeStored(keyOf(containerId, index + 1), id);
  storeTabs(containerId, { all: ids.map((_id, index) => ({ number: index + 1 })), active: 1 });
}

export type Tab = {
  /** From 1; the lowest free one. */
  number: number;
  /** Given by the user. */
  name?: string;
  /** Whether its shell begins as a plain one. */
  isPlain?: boolean;
};
export type Tabs = { all: readonly Tab[]; active: number };

/** More than any service permits for one container. */
const mostTabs = 30;
const tabsKey = (containerId: number): string => `terminal-tabs-${containerId}`;
const firstTabs: Tabs = { all: [{ number: 1 }], active: 1 };

/** The terminal's tabs for a container, as of the last visit of this tab of the browser. */
export function storedTabs(containerId: number): Tabs {
  try {
    const { all, active } = JSON.parse(readStored(tabsKey(containerId)) ?? '') as Tabs;
    const isSound = all.length > 0 && all.length <= mostTabs && all.every(({ number }) => Number.isInteger(number));
    return isSound && all.some(({ number }) => number === active) ? { all, active } : firstTabs;
  } catch {
    return firstTabs;
  }
}

export const storeTabs = (containerId: number, tabs: Tabs): void =>
  writeStored(tabsKey(containerId), JSON.stringify(tabs));

/** The container was replaced: its shells are gone. */
export function forgetShells(containerId: number): void {
  for (const { number } of storedTabs(containerId).all) writeStored(keyOf(containerId, number), undefined);
  writeStored(tabsKey(containerId), undefined);
}

function readStored(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Without it a reload opens a new shell.
  }
}
