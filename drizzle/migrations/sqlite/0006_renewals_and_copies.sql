ALTER TABLE `services` ADD `renewal_anchor` integer;--> statement-breakpoint
CREATE INDEX `services_by_reference` ON `services` (`broker_id`,`external_reference`,`created_at`,`number`) WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX `services_by_update` ON `services` (`broker_id`,`updated_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_to_renew` ON `services` (`renewal_at`) WHERE renewal_at is not null and status in ('pending', 'active', 'suspended');--> statement-breakpoint
-- Written by hand: renewals of the services that stand. What is given keeps its place in the month, what is billed hourly
-- has none, and monthly services without a date count from their creation, which readers and the worker move on from.
-- in batches of services.number
UPDATE services SET renewal_at = NULL WHERE plan_id IN (SELECT id FROM plans WHERE billing_type = 'hourly') AND number > :after AND number <= :last;--> statement-breakpoint
-- in batches of services.number
UPDATE services SET renewal_at = created_at WHERE renewal_at IS NULL AND status IN ('pending', 'active', 'suspended') AND plan_id IN (SELECT id FROM plans WHERE billing_type = 'monthly') AND number > :after AND number <= :last;--> statement-breakpoint
-- in batches of services.number
UPDATE services SET renewal_anchor = renewal_at - 1000 * strftime('%s', renewal_at / 1000, 'unixepoch', 'start of month') WHERE renewal_at IS NOT NULL AND number > :after AND number <= :last;
