-- A program that has made a class is no person: webhooks do not report it as a member.
create or replace function write_member_webhooks() returns trigger language plpgsql as $$
  declare
    member class_members := case when tg_op = 'DELETE' then old else new end;
  begin
    if member.user_id < 0 then return null; end if;
    perform write_webhooks(case when tg_op = 'DELETE' then 'member.removed' else 'member.added' end,
      jsonb_build_object('class_id', member.class_id, 'user_id', member.user_id, 'role', member.role,
        'username', (select username from users where id = member.user_id)));
    return null;
  end
$$;
