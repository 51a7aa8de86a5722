-- Ids of things, one sequence a kind. A rebuild raises each to the highest id in the log.
create sequence chronoforge.user_ids;
create sequence chronoforge.token_ids;
create sequence chronoforge.key_ids;
create sequence chronoforge.deploy_key_project_ids;
create sequence chronoforge.cluster_ids;

-- How far each read model has come. Rows of a read model and its position commit together.
create table chronoforge.read_models (
  name text not null,
  generation text not null check (generation in ('live', 'next')),
  version integer not null,
  position bigint not null,
  primary key (name, generation)
);

-- Streams of which an event could not be projected; the rest of the log goes on without them.
create table chronoforge.parked_streams (
  read_model text not null,
  generation text not null,
  stream text not null,
  revision bigint not null,
  position bigint not null,
  event_id uuid not null,
  type text not null,
  error text not null,
  code_version text not null,
  parked_at timestamptz not null default now(),
  primary key (read_model, generation, stream)
);

-- Rebuilds that were asked for, by any process; the leader carries them out.
create table chronoforge.rebuilds (
  id bigint generated always as identity primary key,
  read_models text[] not null,
  state text not null default 'requested' check (state in ('requested', 'running', 'finished', 'cancelled', 'failed')),
  cancel_requested boolean not null default false,
  events bigint not null default 0,
  position bigint not null default 0,
  head bigint not null default 0,
  events_per_second double precision not null default 0,
  differing bigint,
  examples text[] not null default '{}',
  error text,
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);

-- Answers to requests with an Idempotency-Key, for 24 hours.
create table chronoforge.idempotent_answers (
  caller bigint not null,
  key text not null,
  -- Identifies the run of a request: kept by its repeat after a crash, new for a use of the key after the answer was forgotten.
  run uuid not null default gen_random_uuid(),
  fingerprint bytea not null,
  -- Null while the first request runs.
  status integer,
  headers jsonb,
  body text,
  -- Ids that the request took: it takes the same ones when it is repeated after a crash, and so adds nothing.
  ids bigint[] not null default '{}',
  -- Set instead of the body when the answer carried a secret.
  secret_of text,
  started_at timestamptz not null default now(),
  primary key (caller, key)
);
create index on chronoforge.idempotent_answers (started_at);

-- Keys of secrets at rest, one an aggregate, each wrapped by SECRET_KEY. Deleting a row makes its secrets unreadable for ever.
create table chronoforge.data_keys (
  stream text primary key,
  wrapped bytea not null
);

-- Signed digests over the log up to a position.
create table chronoforge.seals (
  position bigint primary key,
  digest bytea not null,
  at bigint not null,
  public_key bytea not null,
  signature bytea not null
);
