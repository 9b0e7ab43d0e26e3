export const exams = {};
