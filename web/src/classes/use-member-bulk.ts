import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { saveInvitations } from '../imports/invitations.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type ClassRole, classesKey, classRoles, type Member } from '../teaching-model/classes.ts';
import { optionsOf } from '../ui/forms/field.tsx';
import type { Bulk } from '../ui/lists/bulk.ts';

type Issued = Answer<'/api/classes/{id}/members/{user_id}/invitation', 'post'>;

/** The actions on several members of a class. */
export function useMemberBulk(classId: number): Bulk<Member & { id: number }> {
  const t = useStrings();
  const queries = useQueryClient();
  const invited = useRef<Issued[]>([]);
  const paramsOf = ({ user_id }: Member) => ({ path: { id: classId, user_id } });
  return {
    nameOf: ({ username, full_name }) => (full_name ? `${full_name} (${username})` : username),
    actions: [
      {
        label: t.classes.changeRole,
        help: t.classes.changeRoleHelp,
        input: { label: t.classes.role, first: 'student', options: optionsOf(classRoles, t.classes.roles) },
        run: (member, value) =>
          ok(
            api.PUT('/api/classes/{id}/members/{user_id}', {
              params: paramsOf(member),
              body: { role: value as ClassRole },
            }),
          ),
      },
      {
        label: t.classes.inviteAgain,
        help: t.classes.inviteAgainHelp,
        run: async (member) => {
          const path = '/api/classes/{id}/members/{user_id}/invitation';
          invited.current.push(await ok(api.POST(path, { params: paramsOf(member) })));
        },
      },
      {
        label: t.classes.remove,
        help: t.classes.removeHelp,
        isDangerous: true,
        run: (member) => ok(api.DELETE('/api/classes/{id}/members/{user_id}', { params: paramsOf(member) })),
      },
    ],
    onDone: () => {
      if (invited.current.length > 0) saveInvitations(invited.current);
      invited.current = [];
      return queries.invalidateQueries({ queryKey: classesKey });
    },
  };
}
