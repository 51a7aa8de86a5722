-- Ids of environments and deployments.
create sequence chronoforge.environment_ids;
create sequence chronoforge.deployment_ids;
