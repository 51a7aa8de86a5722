--   remove    the project is deleted, or about to be, and its repository goes with it; noted before
alter table chronoforge.repository_tasks
  drop constraint repository_tasks_task_check,
  add check (task in ('record', 'maintain', 'count', 'remove'));
