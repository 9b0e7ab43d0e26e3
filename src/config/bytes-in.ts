/** The bytes of one unit. */
export const bytesIn = { kib: 1024, mib: 1024 * 1024 };
