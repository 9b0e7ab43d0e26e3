-- Images that the staff of courses add, from registries that administrators list for them. Null: administrators added it.
alter table container_images
  add column course_id integer references courses on delete set null,
  -- When its pull was asked for last. The one that has waited longest is pulled next.
  add column requested_at timestamptz(3) not null default now(),
  -- Identifiers of images that the engine has to delete as soon as nothing uses them.
  add column stale_ids text[] not null default '{}',
  drop constraint container_images_state_check,
  -- A removed one keeps its reference, which is refused from then on.
  add constraint container_images_state_check check (state in ('pulling', 'ready', 'failed', 'removed')),
  add constraint container_images_removed_check check (
    state <> 'removed' or (image_id is null and sealed_password is null)
  );
create index container_images_course on container_images (course_id);

-- Hosts of registries, with their ports.
alter table course_grants add column registries text[] not null default '{}'
  check (cardinality(registries) <= 20 and array_position(registries, null) is null);

-- Nothing is stored that names an added image without one that has passed its examination. Images that were not added are the engine's matter.
create function check_container_image() returns trigger language plpgsql as $$
declare
  given text := to_jsonb(new) ->> tg_argv[0];
  usable text;
begin
  if tg_op = 'UPDATE' and to_jsonb(old) ->> tg_argv[0] = given then
    return new;
  end if;
  -- The lock keeps the image from being removed until this transaction ends. A removal then finds what names it.
  select image_id into usable from container_images where reference in (given, given || ':latest') for share;
  if found and usable is null then
    raise exception 'the container image % cannot be used', given
      using errcode = 'check_violation', constraint = 'container_image_usable';
  end if;
  return new;
end
$$;
create trigger assessments_image before insert or update of container_image on assessments
  for each row execute function check_container_image('container_image');
create trigger sandbox_templates_image before insert or update of image on sandbox_templates
  for each row execute function check_container_image('image');
