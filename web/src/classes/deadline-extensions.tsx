import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import type { ImportKind } from '../imports/import-kind.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { deadlinesKey } from '../teaching-model/deadlines.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { instant, localTime, ownZone } from '../ui/time/local-time.ts';
import { useToasts } from '../ui/toasts.tsx';
import { ChoiceList } from './choice-list.tsx';

type Props = { classId: number; laboratoryId: number };

const extensionsPath = '/api/classes/{id}/deadlines/{laboratory_id}/extensions';

/** The students who have more time for a laboratory, and a form that gives it to one or several. */
export function DeadlineExtensions({ classId: id, laboratoryId: laboratory_id }: Props) {
  const t = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const path = { id, laboratory_id };
  const extensions = useQuery({
    queryKey: [...classesKey, 'extensions', id, laboratory_id],
    queryFn: ({ signal }) => okAll((query) => api.GET(extensionsPath, { params: { path, query }, signal })),
  });
  const students = useQuery({
    queryKey: [...classesKey, 'students', id],
    queryFn: ({ signal }) =>
      okAll((page) =>
        api.GET('/api/classes/{id}/members', {
          params: { path: { id }, query: { ...page, role: 'student' } },
          signal,
        }),
      ),
  });
  const refresh = () =>
    Promise.all([classesKey, deadlinesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const [chosen, setChosen] = useState(new Set<number>());
  const sent = useSentForm({ due_at: localTime(null) }, async ({ due_at }) => {
    const body = { user_ids: [...chosen], due_at: instant(due_at) };
    await ok(api.PUT(extensionsPath, { params: { path }, body }));
    toasts.done(t.classes.extended);
    sent.clear();
    setChosen(new Set());
    await refresh();
  });
  const [isImporting, setImporting] = useState(false);
  const kind: ImportKind<unknown[]> = {
    path: `/api/classes/${id}/deadlines/${laboratory_id}/extensions/import`,
    texts: {
      title: t.classes.importExtensionsTitle,
      lead: t.classes.importExtensionsLead,
      help: t.classes.importExtensionsHelp,
      text: t.classes.importExtensionsText,
      example: 'username,due_at\nanna,2027-01-20T23:59:00+01:00',
      action: t.classes.importExtensionsNow,
    },
    changes: classesKey,
    onImported: () => {
      toasts.done(t.classes.extended);
      void queries.invalidateQueries({ queryKey: deadlinesKey });
    },
  };
  const remove = async (user_id: number): Promise<void> => {
    await ok(api.DELETE(`${extensionsPath}/{user_id}`, { params: { path: { ...path, user_id } } }));
    await refresh();
  };
  return (
    <div className="flex flex-col gap-4">
      <Fetched query={extensions}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-sm text-ink-soft">{t.classes.noExtensions}</p>
          ) : (
            <ul className="flex flex-col gap-1 text-sm">
              {rows.map(({ user_id, username, full_name, due_at }) => (
                <li key={user_id} className="flex items-center gap-2">
                  <span className="grow [overflow-wrap:anywhere]">{full_name || username}</span>
                  {format.time(due_at)}
                  <IconButton
                    label={t.classes.deleteExtension(full_name || username)}
                    onClick={() => void remove(user_id).catch(toasts.failed)}
                  >
                    <Trash2 size={16} aria-hidden="true" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <div>
        <Button size="small" aria-haspopup="dialog" onClick={() => setImporting(true)}>
          <Upload size={15} aria-hidden="true" /> {t.classes.importExtensions}
        </Button>
      </div>
      <ImportDialog kind={kind} isOpen={isImporting} onClose={() => setImporting(false)} />
      <SentForm sent={sent} action={t.classes.extend}>
        <Fetched query={students} skeleton={<Loading rows={1} className="h-24" />}>
          {(members) =>
            members.length === 0 ? (
              <p className="text-sm text-ink-soft">{t.classes.noStudents}</p>
            ) : (
              <ChoiceList
                legend={t.classes.extensionStudents}
                choices={members.map(({ user_id, username, full_name }) => ({
                  id: user_id,
                  label: full_name ? `${full_name} (${username})` : username,
                }))}
                chosen={chosen}
                onChange={setChosen}
              />
            )
          }
        </Fetched>
        <TextField
          label={t.classes.due}
          help={t.examSessions.zone(ownZone())}
          type="datetime-local"
          required
          {...sent.field('due_at')}
        />
      </SentForm>
    </div>
  );
}
