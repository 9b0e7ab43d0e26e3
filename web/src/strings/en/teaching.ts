export const teaching = {};
