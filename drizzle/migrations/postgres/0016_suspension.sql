ALTER TABLE "services" ADD COLUMN "suspended_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "suspension_reason" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "suspended_at" bigint;--> statement-breakpoint
-- Written by hand: release 0.2.0 changes the status without these columns, and rows from before have none. What suspends
-- a service past them is the operator, at the date of that change; what lifts a suspension empties them.
CREATE FUNCTION services_keep_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.suspension_reason = NULL;
  IF new.status = 'suspended' THEN
    new.suspended_by = 'operator';
    new.suspended_at = CASE old.status WHEN 'suspended' THEN old.updated_at ELSE new.updated_at END;
  ELSE
    new.suspended_by = NULL;
    new.suspended_at = NULL;
  END IF;
  RETURN new;
END $$;--> statement-breakpoint
CREATE TRIGGER services_suspension BEFORE UPDATE ON services
  FOR EACH ROW WHEN ((new.status = 'suspended') = (new.suspended_at IS NULL)) EXECUTE FUNCTION services_keep_suspension();
