-- No release leaves an unfinished copy any more, whose rows could be removed.
DROP TRIGGER audit_trail_kept_a_year;--> statement-breakpoint
CREATE TRIGGER audit_trail_kept_a_year BEFORE DELETE ON audit_trail
WHEN old.at > unixepoch('subsec') * 1000 - 31536000000 BEGIN
  SELECT RAISE(ABORT, 'the audit trail is kept for 365 days');
END;
