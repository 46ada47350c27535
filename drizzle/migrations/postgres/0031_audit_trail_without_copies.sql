-- No release leaves an unfinished copy any more, whose rows could be removed.
CREATE OR REPLACE FUNCTION audit_trail_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at <= extract(epoch FROM clock_timestamp()) * 1000 - 31536000000 THEN
      RETURN old;
    END IF;
    RAISE EXCEPTION 'the audit trail is kept for 365 days';
  END IF;
  RAISE EXCEPTION 'the audit trail is never changed';
END $$;
