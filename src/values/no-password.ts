/** What the hash of a user without a password ends with, in place of a digest. */
export const endOfNobody = '.'.repeat(31);
