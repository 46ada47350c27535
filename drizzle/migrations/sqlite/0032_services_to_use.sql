CREATE TABLE `consumption` (
	`service_number` integer PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`measured_at` integer NOT NULL,
	`period_from` integer,
	`disk_gb_used` text,
	`transfer_gb_used` text,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `consumption_by_number` ON `consumption` (`broker_id`,`service_number`);--> statement-breakpoint
CREATE TABLE `plan_offers` (
	`plan_id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`options` text NOT NULL,
	`actions` text NOT NULL,
	`has_credentials` integer NOT NULL,
	`provisioning` text,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP INDEX `requests_one_open_suspension`;--> statement-breakpoint
ALTER TABLE `requests` ADD `cleans_up` integer;--> statement-breakpoint
ALTER TABLE `requests` ADD `action_name` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `action_display_name` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `action_configuration` text;--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_suspend` ON `requests` (`service_number`) WHERE type = 'service-suspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_unsuspend` ON `requests` (`service_number`) WHERE type = 'service-unsuspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_action` ON `requests` (`service_number`) WHERE type = 'service-action' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
ALTER TABLE `services` ADD `configuration` text;--> statement-breakpoint
ALTER TABLE `services` ADD `access` text;--> statement-breakpoint
ALTER TABLE `services` ADD `reference` text;