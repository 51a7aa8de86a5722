-- What was awarded. Awards of what is deleted stay, and are found nowhere without it.
create table awards (
  id bigint primary key,
  type text not null,
  awardable_id bigint not null,
  user_id bigint not null,
  name text not null,
  created_at bigint not null
);
create index on awards (type, awardable_id, id);
create index on awards (user_id, type, name, awardable_id);

-- How many there are of each name.
create table counts (
  type text not null,
  awardable_id bigint not null,
  name text not null,
  total bigint not null,
  primary key (type, awardable_id, name)
);
-- What has the most votes.
create index on counts (type, total, awardable_id) where name = 'thumbsup' and total > 0;
