/** What prepares a new container before its user can enter it. */
export type Setup = {
  /** Bash, run as root in this order. */
  scripts: readonly string[];
};

/** A set-up as it is stored. A container that was prepared with it has its key. */
export type StoredSetup = Setup & { key: string };
