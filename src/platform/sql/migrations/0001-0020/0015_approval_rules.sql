-- Ids of rules of approvals.
create sequence chronoforge.approval_rule_ids;
