-- A job has one lease at a time: whoever has it takes the job, and others take another one.
delete from chronoforge.job_leases older using chronoforge.job_leases newer
where newer.job_id = older.job_id and newer.claim > older.claim;
create unique index on chronoforge.job_leases (job_id);
