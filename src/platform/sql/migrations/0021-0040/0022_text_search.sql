-- Indexes of what texts hold. A server without the extension searches them one by one.
do $$
begin
  create extension if not exists pg_trgm;
exception when feature_not_supported or undefined_file or insufficient_privilege then
  raise notice 'pg_trgm cannot be had here: %', sqlerrm;
end
$$;
