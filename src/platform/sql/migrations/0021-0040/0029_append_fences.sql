-- Takes fences too, the ends of other streams that an append depends on: those of the append i are fences[j] at fence_revisions[j], j up to
-- fence_ends[i] and behind those of the append before; null where there are none. An append whose fence ends elsewhere is 'fenced', and not stored.
-- The ends are those before the batch: what is fenced by a stream comes in a later batch than what is appended to it.
-- The rest is as before, and the signature of before stays for processes that were started before this migration.
create function chronoforge.append(
  clock bigint,
  streams text[],
  expected bigint[],
  hashes text[],
  ends integer[],
  ids uuid[],
  types text[],
  versions integer[],
  data text[],
  metadata text[],
  digests bytea,
  fences text[],
  fence_revisions bigint[],
  fence_ends integer[]
) returns table (outcome text, revision bigint, "position" bigint, hash text)
language plpgsql as $$
#variable_conflict use_variable
declare
  head bigint;
  before bigint;
  instant bigint;
  target record;
  link bytea;
  next integer := 1;
  next_fence integer := 1;
  is_fenced boolean;
  added chronoforge.events[];
begin
  select l.position, greatest(clock, l.at) into head, instant from chronoforge.log_head l for update;
  before := head;
  -- unnest((select …)) hides the number of elements from the planner, so that it keeps one plan for all calls.
  for target in
    select u.stream, u.n, stored.revision as stored_revision, stored.position as stored_position, stored.hash as stored_hash,
      tip.revision, tip.hash
    from unnest((select streams)) with ordinality as u (stream, n)
    left join lateral (
      select e.revision, e.position, e.hash from chronoforge.events e where e.id = ids[ends[u.n]] and e.stream = u.stream limit 1
    ) stored on true
    left join lateral (
      select e.revision, e.hash from chronoforge.events e where e.stream = u.stream order by e.revision desc limit 1
    ) tip on true
    order by u.n
  loop
    revision := coalesce(target.revision, -1);
    is_fenced := false;
    if fence_ends[target.n] >= next_fence then
      is_fenced := exists (
        select from unnest(fences[next_fence : fence_ends[target.n]], fence_revisions[next_fence : fence_ends[target.n]]) f (stream, revision)
        where f.revision <> coalesce((select max(e.revision) from chronoforge.events e where e.stream = f.stream), -1)
      );
    end if;
    if target.stored_revision is not null then
      outcome := 'repeated';
      revision := target.stored_revision;
      "position" := target.stored_position;
      hash := encode(target.stored_hash, 'hex');
    elsif expected[target.n] not in (-2, revision) or hashes[target.n] <> encode(target.hash, 'hex') then
      outcome := 'refused';
      "position" := null;
      hash := null;
    elsif is_fenced then
      outcome := 'fenced';
      "position" := null;
      hash := null;
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
      hash := encode(link, 'hex');
    end if;
    next := ends[target.n] + 1;
    next_fence := coalesce(fence_ends[target.n], 0) + 1;
    return next;
  end loop;
  if head > before then
    insert into chronoforge.events select * from unnest((select added));
    update chronoforge.log_head set position = head, at = instant;
    perform pg_notify('chronoforge_log', head::text);
  end if;
end
$$;

create or replace function chronoforge.append(
  clock bigint,
  streams text[],
  expected bigint[],
  hashes text[],
  ends integer[],
  ids uuid[],
  types text[],
  versions integer[],
  data text[],
  metadata text[],
  digests bytea
) returns table (outcome text, revision bigint, "position" bigint, hash text)
language sql as $$
  select a.outcome, a.revision, a.position, a.hash
  from chronoforge.append(clock, streams, expected, hashes, ends, ids, types, versions, data, metadata, digests, null, null, null) a
$$;
