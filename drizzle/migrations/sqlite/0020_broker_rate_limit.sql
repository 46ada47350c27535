ALTER TABLE `brokers` ADD `rate_limit` integer;
