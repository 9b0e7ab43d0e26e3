import { useQueryClient } from '@tanstack/react-query';
import { ClipboardList, Ellipsis, Eye, MailPlus, UserMinus, UserRoundCog } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { IssuedInvitation } from '../imports/issued-invitation.tsx';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type ClassRole, classesKey, classRoles, type Member } from '../teaching-model/classes.ts';
import { IconButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** The actions for a member. */
export function MemberMenu({ classId, member, mayChange }: { classId: number; member: Member; mayChange: boolean }) {
  const t = useStrings();
  const toasts = useToasts();
  const isStaff = useUser().role !== 'student';
  const change = useChange(classId, member);
  const [isRemoving, setRemoving] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const { user_id, username, role } = member;
  if (!isStaff && !mayChange) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t.classes.actionsOf(username)}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {isStaff && (
          <MenuItem onSelect={() => navigate({ to: '/teaching/attempts', search: { user_id } })}>
            <ClipboardList size={16} aria-hidden="true" /> {t.classes.attempts}
          </MenuItem>
        )}
        {isStaff && mayChange && role === 'student' && (
          <MenuItem onSelect={() => void change.look().catch(toasts.failed)}>
            <Eye size={16} aria-hidden="true" /> {t.classes.view.begin}
          </MenuItem>
        )}
        {isStaff && mayChange && <MenuLine />}
        {mayChange &&
          classRoles
            .filter((other) => other !== role)
            .map((other) => (
              <MenuItem key={other} onSelect={() => void change.setRole(other).catch(toasts.failed)}>
                <UserRoundCog size={16} aria-hidden="true" /> {t.classes.makeRole[other]}
              </MenuItem>
            ))}
        {mayChange && role === 'student' && (
          <MenuItem onSelect={() => setInviting(true)}>
            <MailPlus size={16} aria-hidden="true" /> {t.classes.invite}
          </MenuItem>
        )}
        {mayChange && (
          <MenuItem onSelect={() => setRemoving(true)}>
            <UserMinus size={16} aria-hidden="true" className="text-bad" />{' '}
            <span className="text-bad">{t.classes.remove}</span>
          </MenuItem>
        )}
      </Menu>
      <Dialog
        title={t.classes.inviteTitle(username)}
        description={t.classes.inviteHelp}
        isOpen={isInviting}
        onOpenChange={setInviting}
      >
        <IssuedInvitation userId={user_id} issue={change.invite} />
      </Dialog>
      <Confirm
        title={t.classes.removeTitle(username)}
        action={t.classes.remove}
        isOpen={isRemoving}
        onOpenChange={setRemoving}
        onConfirm={change.remove}
      >
        {t.classes.removeHelp}
      </Confirm>
    </>
  );
}

function useChange(id: number, { user_id, username }: Member) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id, user_id } };
  const finish = async (request: Promise<unknown>, done: string): Promise<void> => {
    await request;
    toasts.done(done);
    await queries.invalidateQueries({ queryKey: classesKey });
  };
  return {
    setRole: (role: ClassRole) =>
      finish(
        ok(api.PUT('/api/classes/{id}/members/{user_id}', { params, body: { role } })),
        t.classes.roleChanged(username, t.classes.roles[role]),
      ),
    look: async () => {
      const seen = await ok(api.POST('/api/classes/{id}/members/{user_id}/view', { params }));
      session.look(seen, { classId: id, from: location.pathname + location.search });
      navigate({ to: '/' });
    },
    invite: () => ok(api.POST('/api/classes/{id}/members/{user_id}/invitation', { params })),
    remove: () =>
      finish(ok(api.DELETE('/api/classes/{id}/members/{user_id}', { params })), t.classes.removed(username)),
  };
}
