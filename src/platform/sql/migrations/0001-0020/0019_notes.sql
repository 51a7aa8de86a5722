-- Ids of notes that people write. They are odd: those of notes that follow from other events are even.
create sequence chronoforge.note_ids start 1 increment 2;
