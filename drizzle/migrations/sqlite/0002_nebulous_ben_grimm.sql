ALTER TABLE `email_log` ADD `settled_at` integer;--> statement-breakpoint
ALTER TABLE `email_log` ADD `settled_note` text;