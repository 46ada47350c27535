CREATE TABLE `template_versions` (
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`actor` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `kind`, `version`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
-- Written by hand: what stands is the first version that is known.
INSERT INTO template_versions (broker_id, kind, version, subject, html, text, created_at)
SELECT broker_id, kind, 1, subject, html, text, updated_at FROM templates;
