import type { CatalogueStore } from './catalogue-store.ts';

/** Why a path cannot be that of a file inside the lessons repository, or undefined. */
export function lessonPathProblem(path: string): string | undefined {
  if (path.startsWith('/')) return 'the path should be relative to the root of the lessons repository';
  if (path.includes('\\')) return 'the path should have no backslash';
  if (path.split('/').some((step) => step === '' || step === '.' || step === '..'))
    return 'the path should name a file without empty, . or .. steps';
  return undefined;
}

/** Courses, sections and themes for those who make them. What is deleted takes along what is in it, and its progress. */
export class CatalogueService {
  readonly courses: CatalogueStore['courses'];
  readonly sections: CatalogueStore['sections'];
  readonly themes: CatalogueStore['themes'];

  constructor(store: CatalogueStore) {
    this.courses = store.courses;
    this.sections = store.sections;
    this.themes = store.themes;
  }
}
