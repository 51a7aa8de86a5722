-- Each export has a table of its own for its records, which goes at once. What is under way is given up.
drop table chronoforge.export_parts;
delete from chronoforge.export_copies;
