/** Statuses of a list: the least that the specification allows, so that who asks does not say of which certificate. */
export const statusesOfList = 131_072;
/** The list of the largest index. */
export const maxList = Math.floor((2 ** 31 - 1) / statusesOfList);
