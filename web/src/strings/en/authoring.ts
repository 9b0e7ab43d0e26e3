export const authoring = {};
