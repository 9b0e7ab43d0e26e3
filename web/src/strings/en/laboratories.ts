export const laboratories = {};
