import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { iconNames } from '../lessons/course-icon.tsx';
import { coursesQuery } from '../lessons/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { fieldText } from '../ui/bind-fields.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Select, TextArea, TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { NodeKind } from './move-node.ts';
import type { Node } from './node.ts';
import { fieldsOf, type NodeDraft, nodeDraftOf, parentsFor } from './node-draft.ts';
import { useTreeActions } from './use-tree-actions.ts';

/** Creates or edits a course, a section or a theme. */
export function NodeForm({
  kind,
  node,
  parentId,
  onClose,
}: {
  kind: NodeKind;
  node: Node | undefined;
  parentId: number | undefined;
  onClose: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.courses;
  const toasts = useToasts();
  const { save } = useTreeActions();
  const { data: tree = [] } = useQuery(coursesQuery);
  const [draft, setDraft] = useState<NodeDraft>(() => nodeDraftOf(node, parentId));
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const set = (name: keyof NodeDraft) => (event: { target: { value: string } }) =>
    setDraft((before) => ({ ...before, [name]: event.target.value }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await save(kind, node?.id, fieldsOf(kind, draft, node, tree));
      toasts.done(words.saved(draft.name.trim()));
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const of = (...names: string[]) => fieldText(t, error, ...names);
  const icons = useId();
  const text = { autoComplete: 'off' } as const;
  const isShownAtField = error instanceof Problem && error.items.length > 0;
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <TextField
        {...text}
        label={kind === 'theme' ? words.themeTitle : words.name}
        value={draft.name}
        onChange={set('name')}
        problem={of('name', 'title')}
        maxLength={200}
        required
      />
      {kind === 'course' && (
        <>
          <TextArea
            label={words.description}
            value={draft.description}
            onChange={set('description')}
            problem={of('description')}
          />
          <TextField
            {...text}
            label={words.icon}
            help={words.iconHelp}
            value={draft.icon}
            onChange={set('icon')}
            problem={of('icon')}
            list={icons}
          />
          <datalist id={icons}>
            {iconNames.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      {kind !== 'course' && (
        <Select
          label={kind === 'theme' ? words.section : words.course}
          value={draft.parent}
          onChange={set('parent')}
          problem={of('course_id', 'section_id')}
          options={parentsFor(kind, tree).map(({ id, name }) => ({ value: `${id}`, label: name }))}
        />
      )}
      {kind === 'theme' && (
        <>
          <TextField
            {...text}
            label={words.file}
            help={words.fileHelp}
            value={draft.file}
            onChange={set('file')}
            problem={of('markdown_file_path')}
            className="font-mono"
            spellCheck={false}
            required
          />
          <TextField
            {...text}
            label={words.duration}
            value={draft.duration}
            onChange={set('duration')}
            problem={of('duration_minutes')}
            type="number"
            min={0}
            max={10_000}
          />
        </>
      )}
      <TextField
        {...text}
        label={words.slug}
        help={words.slugHelp}
        value={draft.slug}
        onChange={set('slug')}
        problem={of('slug')}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title={words.slugWrong}
        spellCheck={false}
        maxLength={100}
      />
      {kind !== 'theme' && (
        <Checkbox
          label={words.isActive}
          checked={draft.isActive}
          onChange={(event) => setDraft((before) => ({ ...before, isActive: event.target.checked }))}
        />
      )}
      {error !== undefined && !isShownAtField && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {node ? t.common.save : t.common.create}
        </Button>
      </div>
    </form>
  );
}
