-- Ids of to-dos.
create sequence chronoforge.todo_ids;
