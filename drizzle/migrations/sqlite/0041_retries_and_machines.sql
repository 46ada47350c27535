ALTER TABLE `requests` ADD `retry_of` text;--> statement-breakpoint
CREATE UNIQUE INDEX `requests_retry_once` ON `requests` (`retry_of`) WHERE retry_of is not null;--> statement-breakpoint
CREATE INDEX `services_by_machine` ON `services` (`reference`,`number`) WHERE reference is not null;