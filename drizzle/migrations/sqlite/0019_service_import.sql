ALTER TABLE `services` ADD `import_id` text;
--> statement-breakpoint
CREATE INDEX `services_of_import` ON `services` (`broker_id`,`import_id`,`number`) WHERE import_id is not null;
