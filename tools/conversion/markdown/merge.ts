import type {
  HeldCourse,
  HeldSection,
  HeldTheme,
  OutlineChange,
  OutlineCourse,
  OutlineSection,
  OutlineTheme,
} from '../../../src/features/course-imports/schema.ts';
import { slugOf } from '../slugs.ts';

export type Merged = { course: HeldCourse; changes: OutlineChange[] };

const filesOf = ({ sections }: OutlineCourse): string[] =>
  sections.flatMap(({ themes }) => themes.map(({ file }) => file));

/** The course of the list with the most lessons of another one, or else with its slug. */
export function closest<Course extends OutlineCourse>(
  course: OutlineCourse,
  list: readonly Course[],
): Course | undefined {
  const files = new Set(filesOf(course));
  return (
    mostShared(list, (one) => filesOf(one).filter((file) => files.has(file)).length) ??
    list.find(({ slug }) => slug === course.slug)
  );
}

function mostShared<Item>(list: readonly Item[], shared: (item: Item) => number): Item | undefined {
  const [best] = list.map((item) => ({ item, count: shared(item) })).sort((a, b) => b.count - a.count);
  return best !== undefined && best.count > 0 ? best.item : undefined;
}

/**
 * A course that follows its repository. A value that its author has changed since the last conversion stays, also the removal of a lesson
 * and its move to another section. Slugs and ids stay. Lessons are recognized by their files.
 * @param base the last conversion. Without it, every value that differs counts as edited
 */
export function mergeCourse(
  base: OutlineCourse | undefined,
  held: HeldCourse | undefined,
  next: OutlineCourse,
): Merged {
  if (held === undefined) return { course: next, changes: created(next) };
  return new Merge(base, held, next).run();
}

const created = (course: OutlineCourse): OutlineChange[] => [
  { action: 'new', kind: 'course', name: course.slug, fields: [] },
  ...course.sections.flatMap(({ slug, themes }): OutlineChange[] => [
    { action: 'new', kind: 'section', name: `${course.slug}/${slug}`, fields: [] },
    ...themes.map(
      (theme): OutlineChange => ({
        action: 'new',
        kind: 'theme',
        name: `${course.slug}/${slug}/${theme.slug}`,
        fields: [],
      }),
    ),
  ]),
];

type Place<Section, Theme> = { section: Section; theme: Theme };

const placesOf = <Section extends { themes: readonly Theme[] }, Theme extends OutlineTheme>(
  sections: readonly Section[],
) =>
  new Map<string, Place<Section, Theme>>(
    sections.flatMap((section) =>
      section.themes.map((theme): [string, Place<Section, Theme>] => [theme.file, { section, theme }]),
    ),
  );

class Merge {
  readonly #changes: OutlineChange[] = [];
  readonly #base: OutlineCourse | undefined;
  readonly #held: HeldCourse;
  readonly #next: OutlineCourse;
  readonly #basePlaces: Map<string, Place<OutlineSection, OutlineTheme>>;
  readonly #heldPlaces: Map<string, Place<HeldSection, HeldTheme>>;
  readonly #sections: HeldSection[] = [];

  constructor(base: OutlineCourse | undefined, held: HeldCourse, next: OutlineCourse) {
    [this.#base, this.#held, this.#next] = [base, held, next];
    this.#basePlaces = placesOf(base?.sections ?? []);
    this.#heldPlaces = placesOf(held.sections);
  }

  run(): Merged {
    const course: HeldCourse = { ...this.#held, sections: [] };
    this.#assign('course', this.#held.slug, course, this.#held, this.#base, this.#next, ['name', 'description']);
    const matched = this.#next.sections.map((section) => ({ section, held: this.#heldSection(section) }));
    const known = new Set(matched.map(({ held }) => held));
    const slugs = new Set(this.#held.sections.map(({ slug }) => slug));
    for (const { section, held } of matched) {
      const target: HeldSection = held
        ? { ...held, themes: [] }
        : { slug: slugOf(section.slug, slugs), name: section.name, themes: [] };
      const base = held && this.#base?.sections.find(({ slug }) => slug === held.slug);
      if (held) this.#assign('section', this.#nameOf(target), target, held, base, section, ['name']);
      else this.#changes.push({ action: 'new', kind: 'section', name: this.#nameOf(target), fields: [] });
      this.#sections.push(target);
    }
    for (const held of this.#held.sections) if (!known.has(held)) this.#sections.push({ ...held, themes: [] });
    for (const [index, { section }] of matched.entries()) {
      for (const theme of section.themes) this.#place(theme, this.#sections[index]);
    }
    this.#keepOwn();
    this.#restoreOrder();
    course.sections = this.#sections.filter((section) => this.#isKept(section));
    return { course, changes: this.#changes };
  }

  #nameOf(section: HeldSection, theme?: OutlineTheme): string {
    return [this.#held.slug, section.slug, ...(theme ? [theme.slug] : [])].join('/');
  }

  #heldSection(section: OutlineSection): HeldSection | undefined {
    const files = new Set(section.themes.map(({ file }) => file));
    const sameSlug = this.#held.sections.find(({ slug }) => slug === section.slug);
    const shared = ({ themes }: HeldSection): number => themes.filter(({ file }) => files.has(file)).length;
    const taken = new Set(this.#sections.map(({ slug }) => slug));
    const free = this.#held.sections.filter(({ slug }) => !taken.has(slug) && !this.#isMatched(slug, section));
    return sameSlug ?? mostShared(free, shared);
  }

  /** Whether another section of the repository has this slug. */
  #isMatched(slug: string, section: OutlineSection): boolean {
    return this.#next.sections.some((other) => other !== section && other.slug === slug);
  }

  #place(theme: OutlineTheme, target: HeldSection | undefined): void {
    if (target === undefined) return;
    const held = this.#heldPlaces.get(theme.file);
    const base = this.#basePlaces.get(theme.file);
    if (held === undefined) {
      if (base !== undefined) {
        this.#changes.push({ action: 'kept', kind: 'theme', name: this.#nameOf(target, theme), fields: ['removed'] });
        return;
      }
      this.#insert(target, { ...theme });
      this.#changes.push({ action: 'new', kind: 'theme', name: this.#nameOf(target, theme), fields: [] });
      return;
    }
    const isMovedByAuthor =
      base !== undefined && base.section.slug !== held.section.slug && this.#hasSection(base.section.slug);
    const section = isMovedByAuthor ? this.#sectionOf(held.section.slug) : target;
    if (section === undefined) return;
    const merged: HeldTheme = { ...held.theme };
    this.#insert(section, merged);
    const fields = ['title', 'duration_minutes'] as const;
    const moved = section.slug === held.section.slug ? [] : ['section'];
    this.#assign('theme', this.#nameOf(section, merged), merged, held.theme, base?.theme, theme, fields, moved);
  }

  /** Slugs are unique in a section, also after a move. */
  #insert(section: HeldSection, theme: HeldTheme): void {
    const held = this.#held.sections.find(({ slug }) => slug === section.slug)?.themes ?? [];
    const others = held.filter(({ file }) => file !== theme.file).map(({ slug }) => slug);
    const taken = new Set([...others, ...section.themes.map(({ slug }) => slug)]);
    if (taken.has(theme.slug)) theme.slug = slugOf(theme.slug, taken);
    section.themes.push(theme);
  }

  /** Themes that the repository never had stay where they are. Those that it had are gone. */
  #keepOwn(): void {
    const wanted = new Set(filesOf(this.#next));
    for (const [file, { section, theme }] of this.#heldPlaces) {
      if (wanted.has(file)) continue;
      if (this.#basePlaces.has(file))
        this.#changes.push({ action: 'gone', kind: 'theme', name: this.#nameOf(section, theme), fields: [] });
      else this.#sectionOf(section.slug)?.themes.push({ ...theme });
    }
  }

  /** Where the repository has not changed the order of a section, the author's order stays. */
  #restoreOrder(): void {
    for (const section of this.#sections) {
      const filesIn = (course: OutlineCourse | HeldCourse | undefined): string[] =>
        course?.sections.find(({ slug }) => slug === section.slug)?.themes.map(({ file }) => file) ?? [];
      const held = filesIn(this.#held);
      const [base, next] = [filesIn(this.#base), filesIn(this.#next)].map((files) =>
        files.filter((file) => held.includes(file)).join('\n'),
      );
      if (base !== next) continue;
      const rank = (file: string): number => (held.includes(file) ? held.indexOf(file) : held.length);
      section.themes.sort((a, b) => rank(a.file) - rank(b.file));
    }
  }

  /** A section that the repository had and that has no lesson any more is gone. */
  #isKept(section: HeldSection): boolean {
    const wasInBase = this.#base?.sections.some(({ slug }) => slug === section.slug) === true;
    const isKept = section.themes.length > 0 || !wasInBase;
    if (!isKept) this.#changes.push({ action: 'gone', kind: 'section', name: this.#nameOf(section), fields: [] });
    return isKept;
  }

  #assign<Fields extends object>(
    kind: OutlineChange['kind'],
    name: string,
    target: Fields,
    held: Fields,
    base: Fields | undefined,
    next: Fields,
    fields: readonly (keyof Fields & string)[],
    moved: readonly string[] = [],
  ): void {
    const differing = fields.filter((field) => held[field] !== next[field]);
    const changed = differing.filter((field) => base !== undefined && held[field] === base[field]);
    const kept = differing.filter((field) => !changed.includes(field));
    for (const field of changed) target[field] = next[field];
    const all = [...changed, ...moved];
    if (all.length > 0) this.#changes.push({ action: 'changed', kind, name, fields: all });
    if (kept.length > 0) this.#changes.push({ action: 'kept', kind, name, fields: kept });
  }

  #hasSection(slug: string): boolean {
    return this.#held.sections.some((section) => section.slug === slug);
  }

  #sectionOf(slug: string): HeldSection | undefined {
    return this.#sections.find((section) => section.slug === slug);
  }
}
