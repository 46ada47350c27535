CREATE TABLE `losses` (
	`history` integer PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`state` text NOT NULL,
	`lost_from` integer NOT NULL,
	`lost_until` integer NOT NULL,
	`first_number` integer NOT NULL,
	`last_number` integer NOT NULL,
	`place` text NOT NULL,
	`ended_at` integer,
	`moving` text
);
--> statement-breakpoint
ALTER TABLE `requests` ADD `withheld_by` integer;--> statement-breakpoint
CREATE INDEX `requests_withheld` ON `requests` (`withheld_by`,`id`) WHERE withheld_by is not null;--> statement-breakpoint
ALTER TABLE `sequences` ADD `history_system` text;--> statement-breakpoint
ALTER TABLE `sequences` ADD `history_table` text;--> statement-breakpoint
ALTER TABLE `sequences` ADD `history_timeline` text;--> statement-breakpoint
ALTER TABLE `sequences` ADD `history_address` text;--> statement-breakpoint
ALTER TABLE `services` ADD `uid` text;