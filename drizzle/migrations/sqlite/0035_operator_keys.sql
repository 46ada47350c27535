CREATE TABLE `operator_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`addresses` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`last_used_ip` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_publicId_unique` ON `operator_keys` (`public_id`);