-- Ids of awards.
create sequence chronoforge.award_emoji_ids;
