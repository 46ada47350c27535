ALTER TABLE `usage` ADD `busiest` integer;
