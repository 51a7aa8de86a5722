-- Ids of groups and personal namespaces, which share one space; of projects and what belongs to them.
create sequence chronoforge.namespace_ids;
create sequence chronoforge.project_ids;
create sequence chronoforge.protected_ref_ids;
create sequence chronoforge.protected_ref_access_ids;
