/**
 * With a class, the caller is a student of it whose pages the viewer looks at, and nothing is changed. Without one, the caller is the test
 * student of the viewer.
 */
export type StudentView = { viewerId: number; viewerRole: string; classId: number | null };

/** The teacher of a test student, who decides what the test student finds in the catalogue. Undefined for everybody else. */
export const teacherOf = ({ view }: { view?: StudentView }): { id: number; role: string } | undefined =>
  view?.classId === null ? { id: view.viewerId, role: view.viewerRole } : undefined;
