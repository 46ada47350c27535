-- Written by hand: what keeps the audit trail as it was written. The unfinished copy of another database, which nothing
-- but `broker copy` opens, may be emptied for another try.
CREATE FUNCTION audit_trail_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at <= extract(epoch FROM clock_timestamp()) * 1000 - 31536000000
      OR EXISTS (SELECT 1 FROM settings WHERE name = 'copy_source') THEN
      RETURN old;
    END IF;
    RAISE EXCEPTION 'the audit trail is kept for 365 days';
  END IF;
  RAISE EXCEPTION 'the audit trail is never changed';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_trail_kept_as_written BEFORE UPDATE OR DELETE ON audit_trail
  FOR EACH ROW EXECUTE FUNCTION audit_trail_stands();--> statement-breakpoint
CREATE TRIGGER audit_trail_never_emptied BEFORE TRUNCATE ON audit_trail
  FOR EACH STATEMENT EXECUTE FUNCTION audit_trail_stands();
