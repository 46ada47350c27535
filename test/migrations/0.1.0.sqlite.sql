-- The database of release 0.1.0 with data in every table, made by bin/release-fixture.mjs. Not to be changed.
CREATE TABLE schema_migrations (made_at bigint primary key, hash text);
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`public_id` text NOT NULL,
	`hash` text NOT NULL,
	`mode` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`status` text NOT NULL,
	`rate_limit` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`last_used_ip` text,
	`rotated_from_id` text,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `brokers` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`contact_email` text NOT NULL,
	`sender_email` text NOT NULL,
	`ip_restriction_enabled` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
CREATE TABLE `counters` (
	`broker_id` text NOT NULL,
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `subject`, `kind`, `status`)
);
CREATE TABLE `email_log` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`service_number` integer,
	`request_id` text,
	`status` text NOT NULL,
	`recipient` text,
	`subject` text,
	`html` text,
	`text` text,
	`failure_reason` text,
	`provider_code` integer,
	`provider_message_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`erased_at` integer,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `firewall_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`rule` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `idempotency_records` (
	`broker_id` text NOT NULL,
	`mode` text NOT NULL,
	`namespace` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status_code` integer NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`broker_id`, `mode`, `namespace`, `key`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `invoices` (
	`broker_id` text NOT NULL,
	`invoice_number` text NOT NULL,
	`service_number` integer NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`issued_at` integer NOT NULL,
	`due_at` integer,
	`paid_at` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `invoice_number`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`slug` text NOT NULL,
	`slug_folded` text NOT NULL,
	`display_name` text NOT NULL,
	`display_name_folded` text NOT NULL,
	`upgrade_rank` integer NOT NULL,
	`billing_type` text NOT NULL,
	`active` integer NOT NULL,
	`requires_operator_review` integer NOT NULL,
	`description` text,
	`vcpu` integer,
	`memory_mb` integer,
	`disk_gb` integer,
	`transfer_gb` integer,
	`price_amount` text,
	`price_currency` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `report_recipients` (
	`broker_id` text NOT NULL,
	`email` text NOT NULL,
	`email_folded` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `email_folded`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `request_history` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`request_id` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`note` text,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `requests` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`service_number` integer NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`origin` text NOT NULL,
	`submitted_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`processed_at` integer,
	`decision_action` text,
	`decided_by` text,
	`decision_reason` text,
	`decided_at` integer,
	`failure_reason` text,
	`failure_message` text,
	`failure_service_usable` integer,
	`failure_retryable` integer,
	`warning_reason` text,
	`current_plan_id` text,
	`new_plan_id` text,
	`effective_at` integer,
	`cancellation_type` text,
	`cancellation_reason` text,
	`due_at` integer,
	`lease_owner` text,
	`attempts` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`current_plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`new_plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`next_value` integer NOT NULL
);
CREATE TABLE `services` (
	`number` integer PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`status` text NOT NULL,
	`plan_id` text NOT NULL,
	`label` text,
	`external_reference` text,
	`client_name` text NOT NULL,
	`client_email` text,
	`client_email_folded` text,
	`search_text` text NOT NULL,
	`requires_operator_review` integer NOT NULL,
	`created_at` integer NOT NULL,
	`renewal_at` integer,
	`cancelled_at` integer,
	`cancellation_type` text,
	`cancellation_effective_at` integer,
	`cancellation_request_id` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
CREATE TABLE `templates` (
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`active` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `kind`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE VIRTUAL TABLE service_search USING fts5(search_text, content = 'services', content_rowid = 'number', tokenize = 'trigram case_sensitive 1');
CREATE UNIQUE INDEX `api_keys_publicId_unique` ON `api_keys` (`public_id`);
CREATE INDEX `api_keys_by_broker` ON `api_keys` (`broker_id`,`created_at`);
CREATE UNIQUE INDEX `brokers_slug_unique` ON `brokers` (`slug`);
CREATE INDEX `email_log_newest` ON `email_log` (`broker_id`,`created_at`,`id`);
CREATE INDEX `email_log_to_erase` ON `email_log` (`created_at`) WHERE erased_at is null;
CREATE INDEX `email_log_undecided` ON `email_log` (`created_at`) WHERE status in ('open', 'unknown');
CREATE UNIQUE INDEX `firewall_rules_once` ON `firewall_rules` (`broker_id`,`rule`);
CREATE INDEX `idempotency_expiry` ON `idempotency_records` (`expires_at`) WHERE expires_at is not null;
CREATE INDEX `invoices_issued` ON `invoices` (`broker_id`,`issued_at`,`invoice_number`);
CREATE INDEX `invoices_by_service` ON `invoices` (`broker_id`,`service_number`,`issued_at`,`invoice_number`);
CREATE UNIQUE INDEX `plans_slug_once` ON `plans` (`broker_id`,`slug_folded`);
CREATE UNIQUE INDEX `plans_display_name_once` ON `plans` (`broker_id`,`display_name_folded`);
CREATE INDEX `plans_in_order` ON `plans` (`broker_id`,`upgrade_rank`,`id`);
CREATE INDEX `request_history_in_order` ON `request_history` (`request_id`,`at`,`id`);
CREATE INDEX `requests_newest` ON `requests` (`broker_id`,submitted_at desc,`id`);
CREATE INDEX `requests_by_status` ON `requests` (`broker_id`,`status`,submitted_at desc,`id`);
CREATE INDEX `requests_by_type` ON `requests` (`broker_id`,`type`,submitted_at desc,`id`);
CREATE INDEX `requests_by_service` ON `requests` (`broker_id`,`service_number`,submitted_at desc,`id`);
CREATE INDEX `requests_by_update` ON `requests` (`broker_id`,`updated_at`);
CREATE INDEX `requests_due` ON `requests` (`due_at`) WHERE due_at is not null;
CREATE INDEX `requests_open` ON `requests` (`service_number`) WHERE status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `requests_one_open_plan_change` ON `requests` (`service_number`) WHERE type in ('plan-upgrade', 'plan-downgrade') and status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `requests_one_open_cancellation` ON `requests` (`service_number`) WHERE type = 'cancellation' and status in ('pending', 'operator_review', 'accepted');
CREATE INDEX `services_newest` ON `services` (`broker_id`,`created_at`,`number`);
CREATE INDEX `services_by_status` ON `services` (`broker_id`,`status`,`created_at`,`number`);
CREATE INDEX `services_by_plan` ON `services` (`broker_id`,`plan_id`,`created_at`,`number`);
CREATE INDEX `services_by_email` ON `services` (`broker_id`,`client_email_folded`,`created_at`,`number`);
CREATE INDEX `services_by_renewal` ON `services` (`broker_id`,`renewal_at`,`created_at`,`number`);
CREATE TRIGGER services_search_insert AFTER INSERT ON services BEGIN
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;
CREATE TRIGGER services_search_update AFTER UPDATE OF search_text ON services WHEN old.search_text <> new.search_text BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;
CREATE TRIGGER services_search_delete AFTER DELETE ON services BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
END;
INSERT INTO "schema_migrations" VALUES (1795192321611, '49f429d5ef0bcb06f616c949b2dcb315cd05cf7fc1f5929a0b4370cd340f7cb0');
INSERT INTO "schema_migrations" VALUES (1795192322536, 'ef2d5b6daf9ad007b2238854030b9ab11bf859eb6e5b919b9facbfa4d06397eb');
INSERT INTO "api_keys" VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS36', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'DemoLive', '511a8663f538f75387f41a2b8f61dfe88124b4a1578ce73fc1652254cadd8c2e', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO "api_keys" VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS37', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'DemoTest', '10fa0edce9844dbbc50a1cf9aa5e56fcfc55e9d7f75a80f1512f9749ec4c4324', 'test', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO "api_keys" VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS38', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'DemoNone', '16d6ee9f32dff4cb12c6f28c8e7ad0c86bcec82baf1fa4bc08bb42f887d0d006', 'test', 'Demo key (no scopes)', '[]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO "api_keys" VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS3C', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'DemoOthr', '0f73e9b381fc50e8ac10b2fe6e77340215a5257145517c4a8256af6e3717aaef', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO "brokers" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'demo', 'Demo Hosting', 'active', 'office@demo-hosting.example.com', 'support@demo-hosting.example.com', 0, 1894708800000, 1894708800000);
INSERT INTO "brokers" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'demo-other', 'Other Hosting', 'active', 'office@other-hosting.example.net', 'support@other-hosting.example.net', 0, 1894708800000, 1894708800000);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation', 'accepted', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation', 'completed', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation', 'pending', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation-warning', 'approved', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-downgrade', 'accepted', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'completed', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'denied', 2);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'failed', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'operator_review', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'pending', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'service-creation', 'completed', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'active', 8);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'cancelled', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'suspended', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'terminated', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS20', 'active', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'active', 3);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'cancelled', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'pending', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'active', 3);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'active', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'pending', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'suspended', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'active', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'terminated', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'active', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'cancelled', 1);
INSERT INTO "counters" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3B', 'active', 1);
INSERT INTO "email_log" VALUES ('eml_01Q4JQ3TG0Q517ZQJFQ28XDS3E', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'template-test', NULL, NULL, 'sent', 'ada@example.com', 'Your new service 1000001 is ready', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear Ada Example,</p>
<p>welcome! Your service <strong>1000001</strong> (web-1) on the plan Starter is ready for you.</p>
<p>Kind regards,<br>Demo Hosting</p>
</body>
</html>
', 'Dear Ada Example,

welcome! Your service 1000001 (web-1) on the plan Starter is ready for you.

Kind regards,
Demo Hosting
', NULL, NULL, 'fixture', 1894708800000, 1894708800000, NULL);
INSERT INTO "firewall_rules" VALUES ('fwr_01Q4JQ3TG0Q517ZQJFQ28XDS3D', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', '192.0.2.0/24', 'office', 1894708800000);
INSERT INTO "idempotency_records" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'live', 'action', 'fixture', 'f', 200, '{"success":true,"data":{}}', 1894708800000, 1894795200000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2001', 1000001, '6.00', 'EUR', 'paid', 1887926400000, 1889136000000, 1888617600000, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2002', 1000001, '6.00', 'EUR', 'paid', 1890518400000, 1891728000000, 1891209600000, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2003', 1000001, '6.00', 'EUR', 'open', 1893110400000, 1894320000000, NULL, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2004', 1000002, '18.00', 'EUR', 'paid', 1891123200000, 1892332800000, 1891123200000, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2005', 1000002, '18.00', 'EUR', 'open', 1893715200000, 1894924800000, NULL, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2006', 1000003, '36.00', 'EUR', 'paid', 1892419200000, 1893628800000, 1893542400000, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2007', 1000005, '7.94', 'EUR', 'open', 1893888000000, 1895097600000, NULL, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2008', 1000006, '44.53', 'EUR', 'void', 1893888000000, 1895097600000, NULL, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2009', 1000013, '6.00', 'EUR', 'open', 1890345600000, 1891555200000, NULL, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2010', 1000022, '18.00', 'EUR', 'paid', 1892592000000, 1893801600000, 1892937600000, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'O-1', 1000101, '4.90', 'USD', 'paid', 1891987200000, 1893196800000, 1892073600000, 1894708800000);
INSERT INTO "invoices" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'O-2', 1000102, '14.90', 'USD', 'open', 1894147200000, 1895356800000, NULL, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'starter', 'starter', 'Starter', 'starter', 10, 'monthly', 1, 0, 'A small server for a first site.', 1, 2048, 40, 1000, '6.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS20', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'classic', 'classic', 'Classic (2019)', 'classic (2019)', 15, 'monthly', 0, 0, 'No longer sold; a few clients still have it.', 1, 4096, 60, 1000, '9.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'business', 'business', 'Business', 'business', 20, 'monthly', 1, 0, 'Room for a shop and its database.', 2, 8192, 120, 3000, '18.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'performance', 'performance', 'Performance', 'performance', 30, 'monthly', 1, 0, 'For sites that many people visit at once.', 4, 16384, 240, 6000, '36.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS23', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'dedicated', 'dedicated', 'Dedicated Server', 'dedicated server', 40, 'monthly', 1, 1, 'A machine of its own, made ready by hand.', 16, 65536, 960, 20000, '129.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'flex-small', 'flex-small', 'Flex Small', 'flex small', 10, 'hourly', 1, 0, 'Billed by the hour.', 1, 2048, 40, 1000, '0.012', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'flex-large', 'flex-large', 'Flex Large', 'flex large', 20, 'hourly', 1, 0, 'Billed by the hour.', 4, 16384, 160, 4000, '0.061', 'EUR', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'basic', 'basic', 'Basic', 'basic', 1, 'monthly', 1, 0, NULL, 1, 1024, 20, 500, '4.90', 'USD', 1894708800000, 1894708800000);
INSERT INTO "plans" VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS3B', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'plus', 'plus', 'Plus', 'plus', 2, 'monthly', 1, 0, NULL, 2, 4096, 80, 2000, '14.90', 'USD', 1894708800000, 1894708800000);
INSERT INTO "report_recipients" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'accounts@demo-hosting.example.com', 'accounts@demo-hosting.example.com', 1894708800000);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS27', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS26', 'approved', 1894449600000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS29', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS28', 'pending', 1894622400000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2B', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2A', 'pending', 1894536000000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2D', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2C', 'operator_review', 1894622400000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2F', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2E', 'operator_review', 1894363200000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2G', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2E', 'accepted', 1894449600000, 'operator', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2J', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 'pending', 1894276800000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2K', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 'accepted', 1894363200000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2N', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2M', 'accepted', 1892980800000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2P', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2M', 'completed', 1892980860000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2R', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2Q', 'accepted', 1893844800000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2S', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2Q', 'completed', 1893844860000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2V', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 'accepted', 1892116800000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2W', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 'completed', 1892116860000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2Y', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2X', 'accepted', 1894190400000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2Z', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2X', 'failed', 1894190460000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS31', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS30', 'pending', 1894017600000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS32', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS30', 'denied', 1894104000000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS34', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS33', 'operator_review', 1893931200000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS35', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS33', 'denied', 1894104000000, 'operator', NULL);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS26', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000009, 'cancellation-warning', 'approved', 'broker', 1894449600000, 1894449600000, 1894449600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Two invoices are overdue.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS28', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000017, 'plan-upgrade', 'pending', 'client', 1894622400000, 1894622400000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2A', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000018, 'cancellation', 'pending', 'client', 1894536000000, 1894536000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'end_of_term', 'The project has ended.', NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2C', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000019, 'plan-upgrade', 'operator_review', 'broker', 1894622400000, 1894622400000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS23', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2E', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000020, 'plan-downgrade', 'accepted', 'broker', 1894363200000, 1894449600000, NULL, 'accept', 'operator', NULL, 1894449600000, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 1896220800000, NULL, NULL, 1896220800000, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000021, 'cancellation', 'accepted', 'client', 1894276800000, 1894363200000, NULL, 'approve', 'broker', NULL, 1894363200000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1895875200000, 'end_of_term', 'We are moving in with another team.', 1895875200000, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2M', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000022, 'plan-upgrade', 'completed', 'broker', 1892980800000, 1892980860000, 1892980860000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 1892980800000, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2Q', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000024, 'service-creation', 'completed', 'broker', 1893844800000, 1893844860000, 1893844860000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000013, 'cancellation', 'completed', 'broker', 1892116800000, 1892116860000, 1892116860000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1892116800000, 'immediate', NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2X', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000023, 'plan-upgrade', 'failed', 'broker', 1894190400000, 1894190460000, 1894190460000, NULL, NULL, NULL, NULL, 'provisioning_failed', 'No host had room for the larger plan', 1, 1, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 1894190400000, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS30', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000002, 'plan-upgrade', 'denied', 'client', 1894017600000, 1894104000000, 1894104000000, 'deny', 'broker', 'Please settle the open invoice first.', 1894104000000, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "requests" VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS33', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000025, 'plan-upgrade', 'denied', 'broker', 1893931200000, 1894104000000, 1894104000000, 'deny', 'operator', 'The migration is planned for next month.', 1894104000000, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "sequences" VALUES ('service_number', 1000001);
INSERT INTO "services" VALUES (1000001, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'shop.example.com', 'C-1000001', 'Ada Example', 'client-1000001@example.com', 'client-1000001@example.com', 'shop.example.comZada exampleZc-1000001', 0, 1860105600000, 1895702400000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000002, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'blog.example.com', 'C-1000002', 'Ben Sample', 'client-1000002@example.com', 'client-1000002@example.com', 'blog.example.comZben sampleZc-1000002', 0, 1867017600000, 1896393600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000003, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'team.example.com', 'C-1000003', 'Clara Muster', 'client-1000003@example.com', 'client-1000003@example.com', 'team.example.comZclara musterZc-1000003', 0, 1868745600000, 1895097600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000004, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS20', 'archive.example.com', 'C-1000004', 'Dan Ejemplo', 'client-1000004@example.com', 'client-1000004@example.com', 'archive.example.comZdan ejemploZc-1000004', 0, 1765065600000, 1897084800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000005, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'render-1', 'C-1000005', 'Eva Esempio', 'client-1000005@example.com', 'client-1000005@example.com', 'render-1Zeva esempioZc-1000005', 0, 1891209600000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000006, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'render-2', 'C-1000006', 'Eva Esempio', 'client-1000006@example.com', 'client-1000006@example.com', 'render-2Zeva esempioZc-1000006', 0, 1891382400000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000007, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'noaddress.example.com', 'C-1000007', 'Finn Exemple', NULL, NULL, 'noaddress.example.comZfinn exempleZc-1000007', 0, 1877385600000, 1895443200000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000008, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'badaddress.example.com', 'C-1000008', 'Greta Voorbeeld', 'greta at home', 'greta at home', 'badaddress.example.comZgreta voorbeeldZc-1000008', 0, 1878249600000, 1895443200000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000009, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'suspended', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'paused.example.com', 'C-1000009', 'Hal Example', 'client-1000009@example.com', 'client-1000009@example.com', 'paused.example.comZhal exampleZc-1000009', 0, 1879113600000, 1894924800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000010, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'suspended', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'render-3', 'C-1000010', 'Ida Przykład', 'client-1000010@example.com', 'client-1000010@example.com', 'render-3Zida przykładZc-1000010', 0, 1892505600000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000011, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'pending', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'new.example.com', 'C-1000011', 'Jon Dæmi', 'client-1000011@example.com', 'client-1000011@example.com', 'new.example.comZjon dæmiZc-1000011', 0, 1894579200000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000012, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'pending', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', NULL, 'C-1000012', 'Kim Örnek', 'client-1000012@example.com', 'client-1000012@example.com', 'kim örnekZc-1000012', 0, 1894579200000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000013, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancelled', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'gone.example.com', 'C-1000013', 'Lea Beispiel', 'client-1000013@example.com', 'client-1000013@example.com', 'gone.example.comZlea beispielZc-1000013', 0, 1834185600000, NULL, 1892073600000, 'immediate', 1892116800000, 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 1892116800000);
INSERT INTO "services" VALUES (1000014, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancelled', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'left.example.com', 'C-1000014', 'Max Beispiel', 'client-1000014@example.com', 'client-1000014@example.com', 'left.example.comZmax beispielZc-1000014', 0, 1838505600000, NULL, 1886889600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000015, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'terminated', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'ended.example.com', 'C-1000015', 'Nia Enghraifft', 'client-1000015@example.com', 'client-1000015@example.com', 'ended.example.comZnia enghraifftZc-1000015', 0, 1816905600000, NULL, 1877385600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000016, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'terminated', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'render-4', 'C-1000016', 'Olu Apẹẹrẹ', 'client-1000016@example.com', 'client-1000016@example.com', 'render-4Zolu apẹẹrẹZc-1000016', 0, 1885161600000, NULL, 1889481600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000017, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'wants-more.example.com', 'C-1000017', 'Pia Exempel', 'client-1000017@example.com', 'client-1000017@example.com', 'wants-more.example.comZpia exempelZc-1000017', 0, 1881705600000, 1896048000000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000018, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'wants-out.example.com', 'C-1000018', 'Quinn Example', 'client-1000018@example.com', 'client-1000018@example.com', 'wants-out.example.comZquinn exampleZc-1000018', 0, 1882569600000, 1896566400000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000019, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'review.example.com', 'C-1000019', 'Rosa Ejemplo', 'client-1000019@example.com', 'client-1000019@example.com', 'review.example.comZrosa ejemploZc-1000019', 0, 1883433600000, 1896825600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000020, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'smaller-soon.example.com', 'C-1000020', 'Sven Eksempel', 'client-1000020@example.com', 'client-1000020@example.com', 'smaller-soon.example.comZsven eksempelZc-1000020', 0, 1884297600000, 1896220800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000021, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'leaving.example.com', 'C-1000021', 'Tara Udaharan', 'client-1000021@example.com', 'client-1000021@example.com', 'leaving.example.comZtara udaharanZc-1000021', 0, 1884729600000, 1895875200000, NULL, 'end_of_term', 1895875200000, 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 1894363200000);
INSERT INTO "services" VALUES (1000022, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'grown.example.com', 'C-1000022', 'Udo Beispiel', 'client-1000022@example.com', 'client-1000022@example.com', 'grown.example.comZudo beispielZc-1000022', 0, 1886025600000, 1895270400000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000023, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'unlucky.example.com', 'C-1000023', 'Vera Primjer', 'client-1000023@example.com', 'client-1000023@example.com', 'unlucky.example.comZvera primjerZc-1000023', 0, 1886457600000, 1895616000000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000024, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'fresh.example.com', 'C-1000024', 'Wim Voorbeeld', 'client-1000024@example.com', 'client-1000024@example.com', 'fresh.example.comZwim voorbeeldZc-1000024', 0, 1893801600000, 1896480000000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000025, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'watched.example.com', 'C-1000025', 'Xenia Paradeigma', 'client-1000025@example.com', 'client-1000025@example.com', 'watched.example.comZxenia paradeigmaZc-1000025', 1, 1887753600000, 1895788800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000101, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'www.example.net', 'C-1000101', 'Yara Example', 'client-1000101@example.com', 'client-1000101@example.com', 'www.example.netZyara exampleZc-1000101', 0, 1889481600000, 1895961600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000102, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3B', 'mail.example.net', 'C-1000102', 'Zoe Example', 'client-1000102@example.com', 'client-1000102@example.com', 'mail.example.netZzoe exampleZc-1000102', 0, 1890345600000, 1895529600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO "services" VALUES (1000103, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'cancelled', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'old.example.net', 'C-1000103', 'Zoe Example', 'client-1000103@example.com', 'client-1000103@example.com', 'old.example.netZzoe exampleZc-1000103', 0, 1851465600000, NULL, 1892937600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO "settings" VALUES ('sandbox_secret', 'f11a7d7e8793ac2c4fbe224757a5a17c647fa4ec52f01570018e4c226f99b647');
INSERT INTO "templates" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancellation-warning', 'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>we may have to cancel your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }}. The reason:</p>
<blockquote>{{ warning_reason | newline_to_br }}</blockquote>
{% if renewal_date != "" %}<p>Please get in touch before <strong>{{ renewal_date }}</strong>, so that it can go on without interruption.</p>{% endif %}
<p>Nothing has been cancelled yet. If the matter is settled already, you need not do anything.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

we may have to cancel your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }}. The reason:

    {{ warning_reason }}
{% if renewal_date != "" %}
Please get in touch before {{ renewal_date }}, so that it can go on without interruption.
{% endif %}
Nothing has been cancelled yet. If the matter is settled already, you need not do anything.

Kind regards,
{{ broker_name }}
', 1, 1894708800000);
INSERT INTO "templates" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'plan-change-completed', 'Your service {{ service_number }} is now on the plan {{ plan_name }}', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} has moved to the plan <strong>{{ plan_name }}</strong>.</p>
<p>Please restart it when it suits you, so that it can use its new size.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} has moved to the plan {{ plan_name }}.
Please restart it when it suits you, so that it can use its new size.

Kind regards,
{{ broker_name }}
', 1, 1894708800000);
INSERT INTO "templates" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'service-created', 'Your new service {{ service_number }} is ready', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>welcome! Your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }} is ready for you.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

welcome! Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }} is ready for you.

Kind regards,
{{ broker_name }}
', 1, 1894708800000);
INSERT INTO "templates" VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancellation-completed', 'Your service {{ service_number }} has been cancelled', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} has been cancelled. It is no longer billed.</p>
<p>Thank you for having been with us.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} has been cancelled. It is no longer billed.
Thank you for having been with us.

Kind regards,
{{ broker_name }}
', 1, 1894708800000);
