CREATE TABLE `audit_trail` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor` text NOT NULL,
	`client_ip` text,
	`action` text NOT NULL,
	`broker_id` text,
	`subject` text NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `audit_trail_by_broker` ON `audit_trail` (`broker_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_trail_by_actor` ON `audit_trail` (`actor`,`id`);--> statement-breakpoint
CREATE INDEX `audit_trail_by_subject` ON `audit_trail` (`subject`,`id`);--> statement-breakpoint
CREATE TABLE `calls` (
	`request_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`broker_id` text NOT NULL,
	`key_id` text NOT NULL,
	`client_ip` text,
	`method` text NOT NULL,
	`operation` text NOT NULL,
	`service_number` integer,
	`status` integer NOT NULL,
	`code` text,
	`reason` text,
	`duration_us` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calls_newest` ON `calls` (`at`,`request_id`);--> statement-breakpoint
CREATE INDEX `calls_by_broker` ON `calls` (`broker_id`,`at`);--> statement-breakpoint
CREATE INDEX `calls_by_key` ON `calls` (`key_id`,`at`);--> statement-breakpoint
CREATE INDEX `calls_by_code` ON `calls` (`code`,`at`) WHERE code is not null;--> statement-breakpoint
CREATE TABLE `usage` (
	`stage` integer NOT NULL,
	`from_at` integer NOT NULL,
	`broker_id` text NOT NULL,
	`key_id` text NOT NULL,
	`operation` text NOT NULL,
	`outcome` text NOT NULL,
	`gate` integer NOT NULL,
	`calls` integer NOT NULL,
	`d0` integer NOT NULL,
	`d1` integer NOT NULL,
	`d2` integer NOT NULL,
	`d3` integer NOT NULL,
	`d4` integer NOT NULL,
	`d5` integer NOT NULL,
	`d6` integer NOT NULL,
	`d7` integer NOT NULL,
	`d8` integer NOT NULL,
	`d9` integer NOT NULL,
	`d10` integer NOT NULL,
	`d11` integer NOT NULL,
	`d12` integer NOT NULL,
	`d13` integer NOT NULL,
	`d14` integer NOT NULL,
	`d15` integer NOT NULL,
	`d16` integer NOT NULL,
	`d17` integer NOT NULL,
	`d18` integer NOT NULL,
	`d19` integer NOT NULL,
	`d20` integer NOT NULL,
	`d21` integer NOT NULL,
	`d22` integer NOT NULL,
	`d23` integer NOT NULL,
	`d24` integer NOT NULL,
	`d25` integer NOT NULL,
	`d26` integer NOT NULL,
	`d27` integer NOT NULL,
	PRIMARY KEY(`stage`, `from_at`, `broker_id`, `key_id`, `operation`, `outcome`, `gate`)
);
--> statement-breakpoint
CREATE INDEX `usage_by_broker` ON `usage` (`broker_id`,`stage`,`from_at`);