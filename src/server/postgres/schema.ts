/** Where everything of the server is: its own tables, and those of LangGraph's store. */
export const schema = "plangraph";

/** The steps that make the tables. Never edit one that was released: add one. */
export const migrations: readonly string[] = [
  `
create table plangraph.assistants (
  assistant_id uuid primary key,
  graph_id text not null,
  name text not null,
  description text,
  version int not null,
  config jsonb not null,
  context jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table plangraph.assistant_versions (
  assistant_id uuid not null references plangraph.assistants on delete cascade,
  version int not null,
  graph_id text not null,
  name text not null,
  description text,
  config jsonb not null,
  context jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null default now(),
  primary key (assistant_id, version)
);
create table plangraph.threads (
  thread_id uuid primary key,
  status text not null default 'idle' check (status in ('idle', 'busy', 'interrupted', 'error')),
  metadata jsonb not null default '{}',
  config jsonb not null default '{}',
  "values" jsonb,
  interrupts jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on plangraph.threads (created_at);
create index on plangraph.threads using gin (metadata jsonb_path_ops);
create table plangraph.runs (
  run_id uuid primary key,
  thread_id uuid not null references plangraph.threads on delete cascade,
  assistant_id uuid not null,
  graph_id text not null,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'error', 'success', 'timeout', 'interrupted')),
  metadata jsonb not null,
  -- As it came: jsonb would refuse some texts.
  kwargs json not null,
  multitask_strategy text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  not_before timestamptz not null default now(),
  -- Waiting runs start in this order: one of priority 10 as if it had come ten minutes earlier.
  rank timestamptz not null default now(),
  -- Who has it: the worker that renews it in time.
  lease uuid,
  lease_until timestamptz,
  owner text,
  attempt int not null default 0,
  -- What the thread was before the first attempt, and at the last one; attempts that brought nothing new.
  mark text,
  last_mark text,
  stuck int not null default 0,
  cancel text check (cancel in ('interrupt', 'rollback')),
  check ((status = 'running') = (lease is not null))
);
-- One run of a thread at a time, whatever the workers do.
create unique index one_running on plangraph.runs (thread_id) where status = 'running';
create index waiting on plangraph.runs (rank) where status = 'pending';
create index expiring on plangraph.runs (lease_until) where status = 'running';
create index of_thread on plangraph.runs (thread_id, created_at);
-- A crash of the database empties it: events can be lost, their numbers may not come again.
create sequence plangraph.event_numbers;
create unlogged table plangraph.run_events (
  run_id uuid not null,
  seq bigint not null default nextval('plangraph.event_numbers'),
  event text not null,
  data text not null,
  normalized boolean,
  created_at timestamptz not null default now(),
  primary key (run_id, seq)
);
create index on plangraph.run_events (created_at);
`,
  `
-- Whether the filters that an authorization handler returned let somebody see what has this metadata.
create function plangraph.may_see(metadata jsonb, filters jsonb) returns boolean
immutable language sql as $$
  select coalesce(bool_and((case
    when jsonb_typeof(f.value) <> 'object' then metadata -> f.key = f.value
    when f.value ? '$eq' then metadata -> f.key = f.value -> '$eq'
    when f.value ? '$contains' then jsonb_typeof(metadata -> f.key) = 'array'
      and metadata -> f.key @> case jsonb_typeof(f.value -> '$contains')
        when 'array' then f.value -> '$contains'
        else jsonb_build_array(f.value -> '$contains') end
    else false end) is true), true)
  from jsonb_each(coalesce(filters, '{}')) f
$$;
`,
  `
-- What people decided, as it arrived. It outlives the thread, without the words.
create table plangraph.decisions (
  decision_id bigint generated always as identity primary key,
  thread_id uuid not null,
  run_id uuid not null,
  request_id text,
  tool text,
  args json,
  type text not null,
  message text,
  -- Who sent it by the server's authorization, and whom the decision names.
  identity text,
  decided_by text,
  decided_at timestamptz not null default now()
);
create index on plangraph.decisions (thread_id);
create index on plangraph.decisions (decided_at);
`,
  `
create table plangraph.crons (
  cron_id uuid primary key,
  assistant_id text not null,
  thread_id uuid references plangraph.threads on delete cascade,
  schedule text not null,
  timezone text,
  end_time timestamptz,
  on_run_completed text not null check (on_run_completed in ('delete', 'keep')),
  enabled boolean not null,
  -- What the runs are asked with, and for whom.
  payload json not null,
  metadata jsonb not null,
  user_id text,
  auth json,
  -- When the next run is due; null: never again.
  next_run_date timestamptz,
  last_run_date timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index due on plangraph.crons (next_run_date) where enabled;
`,
  `
-- What was used in a day, in UTC: by each user, by each tenant, and by all.
create table plangraph.spent (
  day date not null,
  kind text not null check (kind in ('user', 'tenant', 'all')),
  who text not null,
  tokens bigint not null,
  usd double precision not null,
  primary key (day, kind, who)
);
`,
  `
-- LangGraph's checkpoints. What one step records is one row, whatever number of channels it changed, and compressed:
-- rows with their indexes, and what each step says again, would be most of what a run writes.
create table plangraph.states (
  thread_id uuid not null,
  ns text not null,
  checkpoint_id uuid not null,
  parent_id uuid,
  checkpoint json not null,
  metadata jsonb not null,
  primary key (thread_id, ns, checkpoint_id)
);
-- The channels that got their values with this version, as of the checkpoint that had them first.
create table plangraph.state_values (
  thread_id uuid not null,
  ns text not null,
  version text not null,
  checkpoint_id uuid not null,
  data bytea not null,
  primary key (thread_id, ns, version, checkpoint_id)
);
-- What a task wrote after a checkpoint: its writes, at 0, or one that it has but one of, at its place below 0.
create table plangraph.state_writes (
  thread_id uuid not null,
  ns text not null,
  checkpoint_id uuid not null,
  task_id text not null,
  place int not null,
  task_path text not null,
  data bytea not null,
  primary key (thread_id, ns, checkpoint_id, task_id, place)
);
`,
  `
-- Requests to models that were let go: those at work, and those of the last minute.
create table plangraph.model_calls (
  call_id uuid primary key,
  provider text not null,
  began_at timestamptz not null default clock_timestamp(),
  -- Renewed by its process while it lasts.
  held_until timestamptz not null
);
create index on plangraph.model_calls (provider, began_at);
-- Lets a request go and returns null, or returns after how many seconds to ask again.
create function plangraph.admit(call uuid, whose text, at_once int, a_minute int, hold interval)
returns double precision language plpgsql as $$
declare
  working int;
  recent int;
  first timestamptz;
  -- A request arrives later than it was let go.
  minute interval = '62 seconds';
begin
  -- Each statement after this sees what those before it in the queue have done.
  perform pg_advisory_xact_lock(2180, hashtext(whose));
  delete from plangraph.model_calls where provider = whose
    and held_until < clock_timestamp() and began_at < clock_timestamp() - minute;
  select count(*) filter (where held_until >= clock_timestamp()),
    count(*) filter (where began_at >= clock_timestamp() - minute),
    min(began_at) filter (where began_at >= clock_timestamp() - minute)
  into working, recent, first from plangraph.model_calls where provider = whose;
  if working >= at_once then return 1; end if;
  if recent >= a_minute then
    return extract(epoch from first + minute - clock_timestamp());
  end if;
  insert into plangraph.model_calls (call_id, provider, held_until)
  values (call, whose, clock_timestamp() + hold)
  on conflict (call_id) do update set held_until = excluded.held_until;
  return null;
end
$$;
`,
  `
drop index plangraph.waiting;
create index waiting on plangraph.runs (rank, run_id) where status = 'pending';
`,
  `
-- What those who pay for a run may use in a day, for the worker that takes it: it has no rules of its own.
alter table plangraph.runs add column budgets json;
`,
  `
-- Runs whose thread went with them, for whoever reads their events on: whose they were. Lost with the events.
create unlogged table plangraph.gone_runs (
  run_id uuid primary key,
  thread_id uuid not null,
  metadata jsonb not null,
  config jsonb not null,
  gone_at timestamptz not null default now()
);
`,
  `
-- Who asked for a run that is to begin later: they have a bound.
alter table plangraph.runs add column scheduled_by text;
create index scheduled on plangraph.runs (scheduled_by) where status = 'pending' and scheduled_by is not null;
`,
  `
-- Until when the server that sees to a schedule is given time; another does it then.
alter table plangraph.crons add column taken_until timestamptz;
`,
  `
-- Takes the run whose turn it is: the first in the order of the index whose thread is free and which, of a graph with a
-- bound, goes before it. The settings keep to the index whatever the planner believes of a table that fills and empties:
-- else each claim would sort all that wait. A claim without bounds, where there is one, is of workers not yet replaced.
create function plangraph.claim(graphs text[], before double precision[], by_lease uuid, by_owner text,
  hold interval, except_threads uuid[])
returns setof plangraph.runs language sql
set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  with next as (
    select r.run_id, r.thread_id from plangraph.runs r
    where r.status = 'pending' and r.not_before <= now() and r.graph_id = any(graphs)
      and r.thread_id <> all(except_threads)
      and extract(epoch from r.rank) * 1000 < coalesce(before[array_position(graphs, r.graph_id)], 'infinity')
      and not exists (select 1 from plangraph.runs other where other.thread_id = r.thread_id
        and (other.status = 'running' or (other.status = 'pending' and other.not_before <= now()
          and (other.created_at, other.run_id) < (r.created_at, r.run_id))))
    order by r.rank, r.run_id limit 1 for update of r skip locked),
  -- The newest checkpoint of the thread, and whether an answer to its question is on record.
  marked as (
    select n.run_id, coalesce((
      select s.checkpoint_id || ' ' || coalesce((
        select md5(string_agg(w.place || md5(w.data), ',' order by w.place))
        from plangraph.state_writes w
        where w.thread_id = s.thread_id and w.ns = '' and w.checkpoint_id = s.checkpoint_id
          and w.task_id = '00000000-0000-0000-0000-000000000000'), '')
      from plangraph.states s where s.thread_id = n.thread_id and s.ns = ''
      order by s.checkpoint_id desc limit 1), '') as mark_now
    from next n)
  update plangraph.runs r set status = 'running', lease = by_lease, owner = by_owner,
    attempt = attempt + 1, lease_until = now() + hold, updated_at = now(),
    mark = coalesce(mark, mark_now), last_mark = mark_now,
    stuck = case when last_mark = mark_now then stuck + 1 else 0 end
  from marked m where r.run_id = m.run_id
  returning r.*
$$;
`,
];
