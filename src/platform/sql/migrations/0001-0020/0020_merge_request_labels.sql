-- Ids of what is told of the labels of merge requests, of which one change may take as many as this, and of their milestones.
create sequence chronoforge.merge_request_label_event_ids increment by 1024;
create sequence chronoforge.merge_request_milestone_event_ids;
