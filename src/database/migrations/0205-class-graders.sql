-- Assistants grade also what was answered outside of exam sessions, such as in laboratories, where the class lets them.

alter table classes add column has_assistant_graders boolean not null default false;
