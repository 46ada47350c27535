-- Written by hand where the generator selects a column that the old table does not have: what stands is slot 0.
CREATE TABLE `__new_counters` (
	`broker_id` text NOT NULL,
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`slot` integer DEFAULT 0 NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `subject`, `kind`, `status`, `slot`)
);
--> statement-breakpoint
INSERT INTO `__new_counters`("broker_id", "subject", "kind", "status", "slot", "value") SELECT "broker_id", "subject", "kind", "status", 0, "value" FROM `counters`;--> statement-breakpoint
DROP TABLE `counters`;--> statement-breakpoint
ALTER TABLE `__new_counters` RENAME TO `counters`;
