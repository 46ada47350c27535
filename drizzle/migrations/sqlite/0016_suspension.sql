ALTER TABLE `services` ADD `suspended_by` text;--> statement-breakpoint
ALTER TABLE `services` ADD `suspension_reason` text;--> statement-breakpoint
ALTER TABLE `services` ADD `suspended_at` integer;--> statement-breakpoint
-- Written by hand: release 0.2.0 changes the status without these columns, and rows from before have none. What suspends
-- a service past them is the operator, at the date of that change; what lifts a suspension empties them.
CREATE TRIGGER services_suspension AFTER UPDATE ON services
WHEN (new.status = 'suspended') = (new.suspended_at IS NULL)
BEGIN
  UPDATE services SET
    suspended_by = CASE new.status WHEN 'suspended' THEN 'operator' END,
    suspension_reason = NULL,
    suspended_at = CASE WHEN new.status = 'suspended'
      THEN CASE old.status WHEN 'suspended' THEN old.updated_at ELSE new.updated_at END END
  WHERE number = new.number;
END;
