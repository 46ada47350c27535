PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_email_log` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`service_number` integer,
	`request_id` text,
	`status` text NOT NULL,
	`recipient` text,
	`subject` text,
	`html` text,
	`text` text,
	`failure_reason` text,
	`provider_code` text,
	`provider_message_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`settled_at` integer,
	`settled_note` text,
	`erased_at` integer,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_email_log`("id", "broker_id", "kind", "service_number", "request_id", "status", "recipient", "subject", "html", "text", "failure_reason", "provider_code", "provider_message_id", "created_at", "completed_at", "settled_at", "settled_note", "erased_at") SELECT "id", "broker_id", "kind", "service_number", "request_id", "status", "recipient", "subject", "html", "text", "failure_reason", "provider_code", "provider_message_id", "created_at", "completed_at", "settled_at", "settled_note", "erased_at" FROM `email_log`;--> statement-breakpoint
DROP TABLE `email_log`;--> statement-breakpoint
ALTER TABLE `__new_email_log` RENAME TO `email_log`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `email_log_newest` ON `email_log` (`broker_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `email_log_to_erase` ON `email_log` (`created_at`) WHERE erased_at is null;--> statement-breakpoint
CREATE INDEX `email_log_undecided` ON `email_log` (`created_at`) WHERE status in ('open', 'unknown');--> statement-breakpoint
ALTER TABLE `requests` ADD `work_token` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `work_begun_at` integer;