import { useQuery } from '@tanstack/react-query';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { sandboxesQuery } from './queries.ts';
import { SandboxCard } from './sandbox-card.tsx';
import { Templates } from './templates.tsx';

/** The user's sandboxes, and the templates for new ones. */
export function SandboxesPage() {
  const t = useStrings();
  const sandboxes = useQuery(sandboxesQuery);
  const kept = sandboxes.data?.[0]?.kept_when_stopped;
  return (
    <Page title={t.sandboxes.title} lead={t.sandboxes.lead}>
      <p className="text-sm text-ink-soft">
        {t.sandboxes.room} {kept && t.sandboxes.keptWhenStopped[kept]}
      </p>
      <Fetched query={sandboxes} skeleton={<Loading rows={2} className="h-20" />}>
        {(mine) =>
          mine.length === 0 ? (
            <Empty title={t.sandboxes.emptyTitle}>{t.sandboxes.emptyHelp}</Empty>
          ) : (
            <ul className="flex flex-col gap-3">
              {mine.map((container) => (
                <li key={container.id}>
                  <SandboxCard container={container} />
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <Templates />
    </Page>
  );
}
