/** The caller is a student of the class, whose pages the viewer looks at. Nothing is changed through it. */
export type StudentView = { viewerId: number; classId: number };
