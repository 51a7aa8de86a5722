-- Ids of pipeline schedules.
create sequence chronoforge.pipeline_schedule_ids;
