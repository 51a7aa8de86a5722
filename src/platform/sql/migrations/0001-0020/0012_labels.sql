-- Ids of labels.
create sequence chronoforge.label_ids;
