import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Copy, FlaskConical, MoreVertical, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { CopyAssessment, editorPaths, NewAssessment } from '../assessments/editor/list-page.tsx';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { itemOf } from '../ui/lists/arrivals.ts';
import { DropEnd, useDraggable } from '../ui/lists/draggable.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { laboratoriesQuery, type TreeLaboratory, treeQuery } from './tree-query.ts';
import { useTreeActions } from './use-tree-actions.ts';

/** What laboratories stand in: a section, or 0 for those without one. */
type Place = { id: number; name: string };

const none: TreeLaboratory[] = [];

const useLaboratoriesIn = (place: number): TreeLaboratory[] =>
  useQuery(laboratoriesQuery(useDoor())).data?.filter(({ section_id }) => (section_id ?? 0) === place) ?? none;

/** The laboratories of a section, drafts included, in the tree of its course. */
export function LaboratoryRows({ place }: { place: Place }) {
  const t = useStrings();
  const laboratories = useLaboratoriesIn(place.id);
  return (
    <SortableContext items={laboratories.map(({ id }) => `laboratory-${id}`)} strategy={verticalListSortingStrategy}>
      <ol aria-label={t.authoring.courses.laboratoriesOf(place.name)} className="mt-1 flex flex-col gap-1 empty:hidden">
        {laboratories.map((laboratory, index) => (
          <LaboratoryRow key={laboratory.id} {...{ laboratory, index, place }} count={laboratories.length} />
        ))}
      </ol>
    </SortableContext>
  );
}

/** The end of the laboratories of a section: a new one, and a drop target for those of other sections. */
export function AddLaboratory({ place }: { place: Place }) {
  const words = useStrings().authoring.courses;
  const { length } = useLaboratoriesIn(place.id);
  const [isCreating, setCreating] = useState(false);
  return (
    <DropEnd kind="laboratory" parent={place} count={length}>
      <Button
        look="quiet"
        size="small"
        aria-label={words.addTo.laboratory(place.name)}
        onClick={() => setCreating(true)}
      >
        <Plus size={15} aria-hidden="true" /> {words.add.laboratory}
      </Button>
      <NewAssessment kind="laboratory" place={place.id} isOpen={isCreating} onOpenChange={setCreating} />
    </DropEnd>
  );
}

/** Those that students do not find in any course. */
export function LaboratoriesWithoutSection() {
  const words = useStrings().authoring.courses;
  const place = { id: 0, name: words.withoutSection };
  const { length } = useLaboratoriesIn(0);
  if (length === 0) return null;
  return (
    <section aria-labelledby="without-section" className="mt-4 rounded-lg border bg-surface px-2 py-3 sm:px-4">
      <h2 id="without-section" className="font-semibold">
        {words.withoutSection}
      </h2>
      <p className="text-sm text-ink-soft">{words.withoutSectionHelp}</p>
      <LaboratoryRows place={place} />
    </section>
  );
}

function LaboratoryRow({
  laboratory,
  index,
  count,
  place,
}: {
  laboratory: TreeLaboratory;
  index: number;
  count: number;
  place: Place;
}) {
  const t = useStrings();
  const { id, title, is_active } = laboratory;
  const door = useDoor();
  const { ref, style, className, handle } = useDraggable({
    ...{ kind: 'laboratory', id, name: title, index, count, parent: place },
  });
  return (
    <li
      ref={ref}
      style={style}
      {...itemOf('laboratory', id)}
      className={classes('flex items-center gap-1 rounded-md border bg-surface px-1', className)}
    >
      {door.mayChange && handle}
      <FlaskConical size={16} aria-hidden="true" className="shrink-0 text-accent" />
      <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 py-1.5 text-sm">
        <Link
          to={door.page(editorPaths.laboratory)}
          params={{ ...door.params, assessmentId: `${id}` }}
          className="inline-flex min-h-6 min-w-0 items-center break-words hover:underline"
        >
          {t.reader.laboratory(title)}
        </Link>
        {!is_active && <Badge>{t.authoring.assessment.statuses.draft}</Badge>}
      </p>
      {door.mayChange && <LaboratoryMenu laboratory={laboratory} />}
    </li>
  );
}

/** All actions on a laboratory. It moves to the section before or after its own, also in another course. */
function LaboratoryMenu({ laboratory }: { laboratory: TreeLaboratory }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const { moveLaboratory } = useTreeActions();
  const door = useDoor();
  const { data: tree = [] } = useQuery(treeQuery(door));
  const sections = tree.flatMap((course) => course.sections);
  const found = sections.findIndex(({ id }) => id === laboratory.section_id);
  // Those without a section stand below all of them.
  const place = found < 0 ? sections.length : found;
  const [before, after] = [sections[place - 1], sections[place + 1]];
  const { id, title } = laboratory;
  const [isCopying, setCopying] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={words.menuOf(title)}>
            <MoreVertical size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          onSelect={() =>
            navigate({ to: door.page(editorPaths.laboratory), params: { ...door.params, assessmentId: `${id}` } })
          }
        >
          <Pencil size={16} aria-hidden="true" /> {t.common.edit}
        </MenuItem>
        <MenuItem onSelect={() => setCopying(true)}>
          <Copy size={16} aria-hidden="true" /> {t.common.copy}
        </MenuItem>
        <MenuLine />
        <MenuItem isDisabled={before === undefined} onSelect={() => moveLaboratory(id, before)}>
          <ArrowUp size={16} aria-hidden="true" /> {before ? words.moveInto(before.name) : words.moveUp}
        </MenuItem>
        <MenuItem isDisabled={after === undefined} onSelect={() => moveLaboratory(id, after)}>
          <ArrowDown size={16} aria-hidden="true" /> {after ? words.moveInto(after.name) : words.moveDown}
        </MenuItem>
      </Menu>
      {isCopying && <CopyAssessment kind="laboratory" assessment={laboratory} onClose={() => setCopying(false)} />}
    </>
  );
}
