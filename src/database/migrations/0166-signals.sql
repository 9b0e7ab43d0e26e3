-- Signals about attempts of exam sessions that have them: hints to look closer, which change no grade. No input is kept.
alter table exam_sessions add has_signals boolean not null default false;

create table attempt_signals (
  attempt_id integer primary key references attempts on delete cascade,
  -- The first input of a terminal.
  first_key_at timestamptz(3),
  -- Input that came in one long piece, and the characters of the longest.
  pastes integer not null default 0,
  longest_paste integer not null default 0,
  -- Keyed hashes of the networks from which its terminals were opened.
  networks text[] not null default '{}' check (cardinality(networks) <= 10),
  -- Lines of input, and the MinHash of each two that follow one another. Empty: there are none.
  commands integer not null default 0,
  signature integer[] not null default '{}' check (cardinality(signature) in (0, 64))
);
