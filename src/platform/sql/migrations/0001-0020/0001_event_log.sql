-- The log. Its order is the position, taken under the lock of the one row of log_head inside the appending transaction,
-- never from a sequence: sequences commit out of order, and a reader that remembers the last position would skip events.
create schema if not exists chronoforge;

create table chronoforge.log_head (
  only_row boolean primary key default true check (only_row),
  position bigint not null,
  at bigint not null
) with (fillfactor = 10);

insert into chronoforge.log_head (position, at) values (0, 0);

create table chronoforge.events (
  position bigint primary key,
  stream text not null,
  revision bigint not null,
  id uuid not null unique,
  type text not null,
  schema_version integer not null,
  -- Milliseconds since 1970.
  at bigint not null,
  -- JSON text: the bytes that were hashed.
  data text not null,
  metadata text not null,
  hash bytea not null,
  unique (stream, revision)
);

-- Appends to many streams in one transaction. Append i goes to streams[i], which no other append of the call names, expects
-- expected[i] (-1: absent, -2: anything), and takes the elements of the event arrays up to ends[i] that the one before left
-- (digests: 32 bytes each, joined). Each append answers for itself, in order:
--   appended   revision and position of its last event
--   repeated   the same of the events that are stored already under these ids
--   refused    revision is what the stream has (-1 for none), position is null
create function chronoforge.append(
  clock bigint,
  streams text[],
  expected bigint[],
  ends integer[],
  ids uuid[],
  types text[],
  versions integer[],
  data text[],
  metadata text[],
  digests bytea
) returns table (outcome text, revision bigint, "position" bigint)
language plpgsql as $$
#variable_conflict use_variable
declare
  head bigint;
  before bigint;
  instant bigint;
  target record;
  link bytea;
  next integer := 1;
  added chronoforge.events[];
begin
  select l.position, greatest(clock, l.at) into head, instant from chronoforge.log_head l for update;
  before := head;
  -- unnest((select …)) hides the number of elements from the planner, so that it keeps one plan for all calls.
  for target in
    select u.stream, u.n, stored.revision as stored_revision, stored.position as stored_position, tip.revision, tip.hash
    from unnest((select streams)) with ordinality as u (stream, n)
    left join lateral (
      select e.revision, e.position from chronoforge.events e where e.id = ids[ends[u.n]] and e.stream = u.stream limit 1
    ) stored on true
    left join lateral (
      select e.revision, e.hash from chronoforge.events e where e.stream = u.stream order by e.revision desc limit 1
    ) tip on true
    order by u.n
  loop
    revision := coalesce(target.revision, -1);
    if target.stored_revision is not null then
      outcome := 'repeated';
      revision := target.stored_revision;
      "position" := target.stored_position;
    elsif expected[target.n] not in (-2, revision) then
      outcome := 'refused';
      "position" := null;
    else
      link := coalesce(target.hash, '\x0000000000000000000000000000000000000000000000000000000000000000');
      for i in next .. ends[target.n] loop
        head := head + 1;
        revision := revision + 1;
        link := sha256(link || int8send(revision) || int8send(instant) || substring(digests from 32 * i - 31 for 32));
        added := added || row(
          head, target.stream, revision, ids[i], types[i], versions[i], instant, data[i], metadata[i], link
        )::chronoforge.events;
      end loop;
      outcome := 'appended';
      "position" := head;
    end if;
    next := ends[target.n] + 1;
    return next;
  end loop;
  if head > before then
    insert into chronoforge.events select * from unnest((select added));
    update chronoforge.log_head set position = head, at = instant;
    perform pg_notify('chronoforge_log', head::text);
  end if;
end
$$;

-- The log with readable times, for people.
create view chronoforge.log as
  select position, to_timestamp(at / 1000.0) as recorded_at, stream, revision, type, data::json as data, metadata::json as metadata
  from chronoforge.events;
