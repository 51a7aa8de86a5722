-- Ids of milestones.
create sequence chronoforge.milestone_ids;
