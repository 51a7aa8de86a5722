-- Exports of projects for which records were taken: the position of the log up to which they tell, and how many there are of each relation.
create table chronoforge.export_copies (
  project_id bigint not null,
  number bigint not null,
  position bigint not null,
  objects jsonb not null,
  primary key (project_id, number)
);

-- The text of these records, long ones in several parts, until it is in files.
create table chronoforge.export_parts (
  project_id bigint not null,
  number bigint not null,
  relation text not null,
  -- The number of the record in its relation, from 1.
  record bigint not null,
  part bigint not null,
  content text not null,
  primary key (project_id, number, relation, record, part)
);
-- It is read once, soon: to compress it takes longer than it saves.
alter table chronoforge.export_parts alter column content set storage external;
