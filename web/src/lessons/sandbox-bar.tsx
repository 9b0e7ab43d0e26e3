import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type Container, sandboxesQuery, templatesQuery } from '../sandboxes/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, longText } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { isUsable } from './lesson-sandbox.ts';
import type { LessonTerminal } from './use-lesson-terminal.ts';

/** The name of a sandbox with that of its template, as far as that is known. */
export function useNamed(): (sandbox: Container) => string {
  const { data: templates = [] } = useQuery(templatesQuery);
  return ({ name, template_id }) => {
    const template = templates.find(({ id }) => id === template_id);
    return template ? `${template.name} (${name})` : name;
  };
}

/** The name of the sandbox beside a lesson, or the choice where there are several. */
export function SandboxName({ terminal, container }: { terminal: LessonTerminal; container: Container }) {
  const words = useStrings().lessonTerminal;
  const named = useNamed();
  const others = useOthers(container);
  if (others.length === 0)
    return (
      <p className="min-w-0 shrink truncate font-medium" title={named(container)}>
        {named(container)}
      </p>
    );
  return (
    <select
      aria-label={words.sandbox}
      value={container.id}
      onChange={({ target }) => terminal.choose(Number(target.value))}
      className={classes(choiceClasses, 'min-w-16 max-w-56 shrink truncate font-medium')}
    >
      {[container, ...others].map((sandbox) => (
        <option key={sandbox.id} value={sandbox.id}>
          {named(sandbox)}
        </option>
      ))}
    </select>
  );
}

/** A warning where the shown sandbox is not that of the lesson. */
export function OtherSandboxNote({
  terminal: { isOther, isUnavailable, template, openRight },
}: {
  terminal: LessonTerminal;
}) {
  const words = useStrings().lessonTerminal;
  if (!isOther) return null;
  return (
    <p
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b bg-warn-soft px-3 py-2 text-sm"
    >
      <span className="flex min-w-0 flex-1 basis-48 items-start gap-2">
        <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
        {isUnavailable ? words.unavailable : words.otherThan(template?.name ?? '')}
      </span>
      {template && (
        <Button size="small" className={longText} onClick={() => openRight()}>
          {words.openNamed(template.name)}
        </Button>
      )}
    </p>
  );
}

const choiceClasses = 'min-h-8 rounded-md border border-line-strong bg-surface px-2 text-sm text-ink';

/** The usable sandboxes of the user but one. */
function useOthers(shown: Container | undefined): readonly Container[] {
  const { data: sandboxes = [] } = useQuery(sandboxesQuery);
  return sandboxes.filter((sandbox) => sandbox.id !== shown?.id && isUsable(sandbox));
}

/** The other sandboxes of the user. */
export function SandboxChoice({ terminal, shown }: { terminal: LessonTerminal; shown?: Container }) {
  const words = useStrings().lessonTerminal;
  const named = useNamed();
  const others = useOthers(shown);
  if (others.length === 0) return null;
  return (
    <select
      aria-label={words.switch}
      value=""
      onChange={({ target }) => terminal.choose(Number(target.value))}
      className={classes(choiceClasses, 'max-w-40')}
    >
      <option value="" disabled>
        {words.switch}
      </option>
      {others.map((sandbox) => (
        <option key={sandbox.id} value={sandbox.id}>
          {named(sandbox)}
        </option>
      ))}
    </select>
  );
}
