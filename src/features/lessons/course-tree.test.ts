import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalogue } from './catalogue.ts';
import { ReaderTree } from './course-tree.ts';

/** Courses of two sections with three themes each; every second course and every third section is inactive. */
function rows(count: number, name = 'Ünïcode “名前” \\ "x"') {
  const courses = Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, name: `${name} ${index}`, slug: `course-${index}`, description: '', icon: '🐧' },
    ...{
      order_index: index,
      is_active: index % 2 === 0,
      is_class_only: false,
      has_certificate: false,
      template_id: null,
    },
  }));
  const sections = courses.flatMap(({ id }) =>
    [1, 2].map((place) => {
      const number = 2 * (id - 1) + place;
      const is_active = number % 3 !== 0;
      const fields = { name, slug: `section-${number}`, order_index: place, is_active, template_id: null };
      const opening = { opens_at: null, opens_after: [] };
      return { id: number, course_id: id, ...fields, ...opening };
    }),
  );
  const themes = sections.flatMap((section) =>
    [1, 2, 3].map((place) => ({
      ...{
        id: 3 * (section.id - 1) + place,
        section_id: section.id,
        title: `${name} ${place}`,
        slug: `theme-${place}`,
      },
      ...{
        markdown_file_path: `ü/${place}.md`,
        duration_minutes: 5,
        order_index: place,
        template_id: null,
        is_written: false,
      },
    })),
  );
  return { courses, sections, themes, repositories: new Map(), repositoryIds: new Set<number>() };
}
const treeOf = (catalogue: Catalogue, completed: string, seesInactive = true) =>
  new ReaderTree(catalogue.view(seesInactive).tree, completed);
const read = (tree: ReaderTree, range?: { first: number; end: number }) => JSON.parse(tree.render(range).toString());

describe('the serialised tree of courses', () => {
  it('is the rows with the progress of the reader, whatever characters they have', () => {
    const all = rows(2);
    const expected = all.courses.map((course) => {
      const sections = all.sections
        .filter(({ course_id }) => course_id === course.id)
        .map((section) => ({
          ...section,
          themes: all.themes
            .filter(({ section_id }) => section_id === section.id)
            .map((theme) => ({ ...theme, is_completed: [1, 2, 5, 7].includes(theme.id) })),
        }));
      const completed_themes = course.id === 1 ? 3 : 1;
      const percent = course.id === 1 ? 50 : 16.6;
      return { ...course, sections, progress: { completed_themes, total_themes: 6, percent } };
    });
    assert.deepEqual(read(treeOf(new Catalogue(all), '1,2,5,7')), expected);
  });

  it('counts to the end, and ignores themes that are gone or not visible', () => {
    const catalogue = new Catalogue(rows(3));
    const every = Array.from({ length: 18 }, (_, index) => index + 1).join(',');
    const progress = (tree: ReaderTree) => read(tree).map((course: { progress: object }) => course.progress);
    const full = { completed_themes: 6, total_themes: 6, percent: 100 };
    assert.deepEqual(progress(treeOf(catalogue, `${every},99`)), [full, full, full]);
    // Section 3 is of an inactive course, section 6 is inactive.
    const half = { completed_themes: 3, total_themes: 3, percent: 100 };
    assert.deepEqual(progress(treeOf(catalogue, every, false)), [full, half]);
    const none = { completed_themes: 0, total_themes: 6, percent: 0 };
    assert.deepEqual(progress(treeOf(catalogue, '')), [none, none, none]);
  });

  it('can be read in parts', () => {
    const tree = treeOf(new Catalogue(rows(5)), '1,8,25');
    const whole = read(tree);
    for (const [first, end] of [
      [0, 2],
      [2, 4],
      [4, 6],
      [0, 5],
    ] as const)
      assert.deepEqual(read(tree, { first, end }), whole.slice(first, end));
    assert.deepEqual(read(tree, { first: 5, end: 10 }), []);
    assert.deepEqual(read(treeOf(new Catalogue(rows(0)), '1')), []);
  });

  it('has a version by its content: of the catalogue, of the progress, of the part', () => {
    const tag = (count: number, completed: string, range?: { first: number; end: number }, name?: string) =>
      treeOf(new Catalogue(rows(count, name)), completed).version(range);
    assert.equal(tag(2, '1,2'), tag(2, '1,2'));
    const tags = [
      tag(2, '1,2'),
      tag(2, '1'),
      tag(2, ''),
      tag(3, '1,2'),
      tag(2, '1,2', { first: 0, end: 1 }),
      tag(2, '1,2', { first: 1, end: 2 }),
      tag(2, '1,2', undefined, 'Another'),
    ];
    assert.equal(new Set(tags).size, tags.length);
  });

  it('knows the neighbours among the visible themes of a course only', () => {
    const catalogue = new Catalogue(rows(3));
    const neighbours = (id: number, seesInactive: boolean) => {
      const place = catalogue.view(seesInactive).place(id);
      return place && [place.previous, place.next];
    };
    assert.deepEqual(neighbours(1, false), [null, 2]);
    assert.deepEqual(neighbours(4, false), [3, 5]);
    assert.deepEqual(neighbours(6, false), [5, null]);
    assert.deepEqual(neighbours(15, true), [14, 16]);
    assert.deepEqual(neighbours(15, false), [14, null]);
    assert.equal(neighbours(7, false), undefined);
    assert.equal(neighbours(16, false), undefined);
    assert.equal(neighbours(99, true), undefined);
  });
});
