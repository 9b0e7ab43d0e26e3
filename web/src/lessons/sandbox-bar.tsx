import { useQuery } from '@tanstack/react-query';
import { Box, TriangleAlert } from 'lucide-react';
import { type Container, sandboxesQuery, templatesQuery } from '../sandboxes/queries.ts';
import { ResetButton } from '../sandboxes/reset-button.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
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

/** The sandbox of the terminal beside a lesson, the others to switch to, and a warning where it is not that of the lesson. */
export function SandboxBar({ terminal, container }: { terminal: LessonTerminal; container: Container }) {
  const words = useStrings().lessons.terminal;
  const named = useNamed();
  const { isOther, isUnavailable, template } = terminal;
  return (
    <>
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b bg-surface px-3 py-1 text-sm">
        <Box size={16} aria-hidden="true" className="shrink-0 text-ink-soft" />
        <p className="min-w-0 flex-1 basis-32 font-medium break-words">{named(container)}</p>
        <SandboxChoice terminal={terminal} shown={container} />
        <ResetButton container={container} onReset={({ id }) => terminal.choose(id)} />
      </div>
      {isOther && (
        <p
          role="status"
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b bg-warn-soft px-3 py-2 text-sm"
        >
          <span className="flex min-w-0 flex-1 basis-48 items-start gap-2">
            <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
            {isUnavailable ? words.unavailable : words.otherThan(template?.name ?? '')}
          </span>
          {template && (
            <Button size="small" onClick={() => terminal.openRight()}>
              {words.openNamed(template.name)}
            </Button>
          )}
        </p>
      )}
    </>
  );
}

/** The other sandboxes of the user. */
export function SandboxChoice({ terminal, shown }: { terminal: LessonTerminal; shown?: Container }) {
  const words = useStrings().lessons.terminal;
  const named = useNamed();
  const { data: sandboxes = [] } = useQuery(sandboxesQuery);
  const others = sandboxes.filter((sandbox) => sandbox.id !== shown?.id && isUsable(sandbox));
  if (others.length === 0) return null;
  return (
    <select
      aria-label={words.switch}
      value=""
      onChange={({ target }) => terminal.choose(Number(target.value))}
      className="min-h-8 max-w-40 rounded-md border border-line-strong bg-surface px-2 text-sm text-ink"
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
