-- Written by hand: what keeps the audit trail as it was written. SQLite replaces a row without asking the triggers of a
-- delete, so an insert over a row that stands is refused as well. The unfinished copy of another database, which nothing
-- but `broker copy` opens, may be emptied for another try.
CREATE TRIGGER audit_trail_kept_as_written BEFORE UPDATE ON audit_trail BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;--> statement-breakpoint
CREATE TRIGGER audit_trail_never_replaced BEFORE INSERT ON audit_trail
WHEN EXISTS (SELECT 1 FROM audit_trail WHERE id = new.id) OR EXISTS (SELECT 1 FROM audit_trail WHERE rowid = new.rowid) BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;--> statement-breakpoint
CREATE TRIGGER audit_trail_kept_a_year BEFORE DELETE ON audit_trail
WHEN old.at > unixepoch('subsec') * 1000 - 31536000000
  AND NOT EXISTS (SELECT 1 FROM settings WHERE name = 'copy_source') BEGIN
  SELECT RAISE(ABORT, 'the audit trail is kept for 365 days');
END;
