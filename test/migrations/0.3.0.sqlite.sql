-- The database of release 0.3.0 (commit fa2c8ab), with data in every table. Not to be changed.
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
, `rate_limit` integer);
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
	`attempts` integer NOT NULL, `work_token` text, `work_begun_at` integer,
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
	`updated_at` integer NOT NULL, `renewal_anchor` integer, `suspended_by` text, `suspension_reason` text, `suspended_at` integer, `import_id` text,
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
CREATE TABLE "email_log" (
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
	`provider_code` text,
	`provider_message_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`settled_at` integer,
	`settled_note` text,
	`erased_at` integer,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
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
	`d27` integer NOT NULL, `busiest` integer,
	PRIMARY KEY(`stage`, `from_at`, `broker_id`, `key_id`, `operation`, `outcome`, `gate`)
);
CREATE TABLE `console_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ip` text,
	`user_agent` text,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_folded` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_sign_in_at` integer
);
CREATE TABLE "counters" (
	`broker_id` text NOT NULL,
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`slot` integer DEFAULT 0 NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `subject`, `kind`, `status`, `slot`)
);
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
CREATE UNIQUE INDEX `api_keys_publicId_unique` ON `api_keys` (`public_id`);
CREATE INDEX `api_keys_by_broker` ON `api_keys` (`broker_id`,`created_at`);
CREATE UNIQUE INDEX `brokers_slug_unique` ON `brokers` (`slug`);
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
CREATE INDEX `email_log_newest` ON `email_log` (`broker_id`,`created_at`,`id`);
CREATE INDEX `email_log_to_erase` ON `email_log` (`created_at`) WHERE erased_at is null;
CREATE INDEX `email_log_undecided` ON `email_log` (`created_at`) WHERE status in ('open', 'unknown');
CREATE INDEX `audit_trail_by_broker` ON `audit_trail` (`broker_id`,`id`);
CREATE INDEX `audit_trail_by_actor` ON `audit_trail` (`actor`,`id`);
CREATE INDEX `audit_trail_by_subject` ON `audit_trail` (`subject`,`id`);
CREATE INDEX `calls_newest` ON `calls` (`at`,`request_id`);
CREATE INDEX `calls_by_broker` ON `calls` (`broker_id`,`at`);
CREATE INDEX `calls_by_key` ON `calls` (`key_id`,`at`);
CREATE INDEX `calls_by_code` ON `calls` (`code`,`at`) WHERE code is not null;
CREATE INDEX `usage_by_broker` ON `usage` (`broker_id`,`stage`,`from_at`);
CREATE INDEX `services_by_reference` ON `services` (`broker_id`,`external_reference`,`created_at`,`number`) WHERE external_reference is not null;
CREATE INDEX `services_by_update` ON `services` (`broker_id`,`updated_at`,`number`);
CREATE INDEX `services_to_renew` ON `services` (`renewal_at`) WHERE renewal_at is not null and status in ('pending', 'active', 'suspended');
CREATE INDEX `console_links_by_operator` ON `console_links` (`operator_id`,`created_at`);
CREATE UNIQUE INDEX `console_sessions_tokenHash_unique` ON `console_sessions` (`token_hash`);
CREATE INDEX `console_sessions_by_operator` ON `console_sessions` (`operator_id`,`created_at`);
CREATE UNIQUE INDEX `operators_emailFolded_unique` ON `operators` (`email_folded`);
CREATE INDEX `requests_refused` ON `requests` (`id`) WHERE status in ('failed', 'denied');
CREATE INDEX `requests_open_in_order` ON `requests` (`broker_id`,`submitted_at`,`service_number`) WHERE status in ('pending', 'operator_review', 'accepted') and type <> '';
CREATE TRIGGER requests_date_service AFTER INSERT ON requests
WHEN NEW.status IN ('pending', 'operator_review', 'accepted')
BEGIN
	UPDATE services SET updated_at = NEW.submitted_at WHERE number = NEW.service_number AND updated_at < NEW.submitted_at;
END;
CREATE INDEX `api_keys_newest` ON `api_keys` (`created_at`,`public_id`);
CREATE INDEX `email_log_of_service` ON `email_log` (`broker_id`,`service_number`,`created_at`);
CREATE INDEX `requests_in_step` ON `requests` (`broker_id`,`updated_at`,`id`);
CREATE TRIGGER services_suspension AFTER UPDATE ON services
WHEN (new.status = 'suspended') = (new.suspended_at IS NULL)
BEGIN
  UPDATE services SET
    suspended_by = CASE new.status WHEN 'suspended' THEN 'operator' END,
    suspension_reason = NULL,
    suspended_at = CASE WHEN new.status = 'suspended'
      THEN CASE old.status WHEN 'suspended' THEN old.updated_at ELSE new.updated_at END END
  WHERE number = new.number;
END;
CREATE UNIQUE INDEX `requests_one_open_suspension` ON `requests` (`service_number`) WHERE type in ('service-suspension', 'service-unsuspension') and status in ('pending', 'operator_review', 'accepted');
CREATE INDEX `services_of_import` ON `services` (`broker_id`,`import_id`,`number`) WHERE import_id is not null;
CREATE TRIGGER audit_trail_kept_as_written BEFORE UPDATE ON audit_trail BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;
CREATE TRIGGER audit_trail_never_replaced BEFORE INSERT ON audit_trail
WHEN EXISTS (SELECT 1 FROM audit_trail WHERE id = new.id) OR EXISTS (SELECT 1 FROM audit_trail WHERE rowid = new.rowid) BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;
CREATE TRIGGER audit_trail_kept_a_year BEFORE DELETE ON audit_trail
WHEN old.at > unixepoch('subsec') * 1000 - 31536000000
  AND NOT EXISTS (SELECT 1 FROM settings WHERE name = 'copy_source') BEGIN
  SELECT RAISE(ABORT, 'the audit trail is kept for 365 days');
END;
INSERT INTO "schema_migrations" VALUES (1795192321611, '49f429d5ef0bcb06f616c949b2dcb315cd05cf7fc1f5929a0b4370cd340f7cb0');
INSERT INTO "schema_migrations" VALUES (1795192322536, 'ef2d5b6daf9ad007b2238854030b9ab11bf859eb6e5b919b9facbfa4d06397eb');
INSERT INTO "schema_migrations" VALUES (1795272471986, 'e2a00ccafe7a7f38d530a6c44812d2f808f40f257bf9b261f71a904c70c7fa9e');
INSERT INTO "schema_migrations" VALUES (1795276123762, '349fd417a5a0ba25fe5e7808f06e50ee5a9f1a63d71a3ca2196cb328717d8268');
INSERT INTO "schema_migrations" VALUES (1795276725393, '2e319545f02b370a67a81f1d46caff99b7b2c5871b4c0a9542d095d8046456f1');
INSERT INTO "schema_migrations" VALUES (1795276732465, 'd10b5627a2bd28b56ca1f2f36efea59634f68474534b6aa4a6670208098e7f01');
INSERT INTO "schema_migrations" VALUES (1795277073790, 'a9f22f12cdbbaa436760f175db4e6e052580e7fc59b00d1a8202a6e0d92cac7b');
INSERT INTO "schema_migrations" VALUES (1795278632936, '6267c4239958cd8e27bb6f46ce4b780142a84ff3825cd09f33fb41634017f3ec');
INSERT INTO "schema_migrations" VALUES (1795279709397, 'ed60efc3c80034ed6d97d0312cbb170c398a94cb721d886c2a5a659d897c7264');
INSERT INTO "schema_migrations" VALUES (1795283664284, 'a8f2cfa4b26c0cf5b18c48f23eacf4faccccf0e4c3b7fd7abd84831319def87c');
INSERT INTO "schema_migrations" VALUES (1795382972764, '1e5d3922dbc8be87e3b32d0f97ebcfa15b00711b5705a3f0541f04731b8e07ba');
INSERT INTO "schema_migrations" VALUES (1795413294847, 'c1ab1473d5585eb99185085ce5525539ec8d17a3960ad900dfcc04195b7242df');
INSERT INTO "schema_migrations" VALUES (1795415530421, '827257667f90c932b9d5da99d75243662dd62d1201a177df71499a895c85c777');
INSERT INTO "schema_migrations" VALUES (1795417125825, '1b4a0b35c324fdde448ee2c1e257fd540b6ef7e4dda7e8525141bc69fbb40070');
INSERT INTO "schema_migrations" VALUES (1795427900000, '3b16177949cfcab95b0257cc53c1bfd934b8bf26d77c4dc080c4ca5d4afdefb7');
INSERT INTO "schema_migrations" VALUES (1795431640000, '1ef31175e520f0cc15afb139687f6464e2dc682d1e5f924898d36ade1b0c0896');
INSERT INTO "schema_migrations" VALUES (1795431641000, '847d13e5096e6c4911c44a0391f5834774797e4a68a2cef6fff354628a22f692');
INSERT INTO "schema_migrations" VALUES (1795431642000, 'c39e34b768b6726f90c2fe8c2a1f4afe793ab804481c9ff434181b4c1c0595e4');
INSERT INTO "schema_migrations" VALUES (1795459146778, 'a01cfc71815c5694c68b317e45a51043ffb5c66ecc7d432e6b31fc2c24af0467');
INSERT INTO "schema_migrations" VALUES (1795460187685, 'c7286695c1078bba22b66cba6d9d861e5a2f745b3375473a57fd87d4105a55e1');
INSERT INTO "api_keys" VALUES ('key_01KF0RDQG0SCCHGYHHAN565JYX', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoLive', '511a8663f538f75387f41a2b8f61dfe88124b4a1578ce73fc1652254cadd8c2e', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1760702400000, 1768478392500, '192.0.2.10', NULL);
INSERT INTO "api_keys" VALUES ('key_01KF0RDQG0SCCHGYHHAN565JYY', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoTest', '10fa0edce9844dbbc50a1cf9aa5e56fcfc55e9d7f75a80f1512f9749ec4c4324', 'test', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1760702400000, 1768478370000, '192.0.2.11', NULL);
INSERT INTO "api_keys" VALUES ('key_01KF0RDQG0SCCHGYHHAN565JYZ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoNone', '16d6ee9f32dff4cb12c6f28c8e7ad0c86bcec82baf1fa4bc08bb42f887d0d006', 'test', 'Demo key (no scopes)', '[]', 'active', NULL, NULL, 1760702400000, NULL, NULL, NULL);
INSERT INTO "api_keys" VALUES ('key_01KF0RDQG0SCCHGYHHAN565JZ0', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoPast', '81bee996f2f89e8d8f92f2dda712121bbecc1f78c5091ca245740e40a9f371d3', 'test', 'Demo key (expired)', '["admin:full"]', 'active', NULL, 1768392000000, 1760702400000, NULL, NULL, NULL);
INSERT INTO "api_keys" VALUES ('key_01KF0RDQG0SCCHGYHHAN565JZ1', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoGone', '69dc37ce761d45d0d4f2302d245b9a7854ce8994443a2d665d0fa211a9c2491b', 'test', 'Demo key (revoked)', '["admin:full"]', 'revoked', NULL, NULL, 1760702400000, NULL, NULL, NULL);
INSERT INTO "api_keys" VALUES ('key_01KF0RDQG0SCCHGYHHAN565JZ9', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'DemoOthr', '0f73e9b381fc50e8ac10b2fe6e77340215a5257145517c4a8256af6e3717aaef', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1760702400000, 1768478398571, '203.0.113.20', NULL);
INSERT INTO "brokers" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'demo', 'Demo Hosting', 'active', 'office@demo-hosting.example.com', 'support@demo-hosting.example.com', 0, 1630238400000, 1768478400000, NULL);
INSERT INTO "brokers" VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'demo-other', 'Other Hosting', 'active', 'office@other-hosting.example.net', 'support@other-hosting.example.net', 0, 1630238400000, 1768395600000, NULL);
INSERT INTO "firewall_rules" VALUES ('fwr_01KEY9EW40RBG5Q4ARXQVZAA2J', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', '203.0.113.0/24', 'Shop servers', 1768395600000);
INSERT INTO "firewall_rules" VALUES ('fwr_01KF0RDQG0SCCHGYHHAN565JZE', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', '192.0.2.0/24', 'office', 1768478400000);
INSERT INTO "idempotency_records" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'live', 'action', 'fixture', 'f', 200, '{"success":true,"data":{}}', 1768478400000, 1768564800000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2001', 1000001, '6.00', 'EUR', 'paid', 1761696000000, 1762905600000, 1762387200000, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2002', 1000001, '6.00', 'EUR', 'paid', 1764288000000, 1765497600000, 1764979200000, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2003', 1000001, '6.00', 'EUR', 'open', 1766880000000, 1768089600000, NULL, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2004', 1000002, '18.00', 'EUR', 'paid', 1764892800000, 1766102400000, 1764892800000, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2005', 1000002, '18.00', 'EUR', 'open', 1767484800000, 1768694400000, NULL, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2006', 1000003, '36.00', 'EUR', 'paid', 1766188800000, 1767398400000, 1767312000000, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2007', 1000005, '7.94', 'EUR', 'open', 1767657600000, 1768867200000, NULL, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2008', 1000006, '44.53', 'EUR', 'void', 1767657600000, 1768867200000, NULL, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2009', 1000013, '6.00', 'EUR', 'open', 1764115200000, 1765324800000, NULL, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2010', 1000022, '18.00', 'EUR', 'paid', 1766361600000, 1767571200000, 1766707200000, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'O-1', 1000101, '4.90', 'USD', 'paid', 1765756800000, 1766966400000, 1765843200000, 1768478400000);
INSERT INTO "invoices" VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'O-2', 1000102, '14.90', 'USD', 'open', 1767916800000, 1769126400000, NULL, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY6', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'starter', 'starter', 'Starter', 'starter', 10, 'monthly', 1, 0, 'A small server for a first site.', 1, 2048, 40, 1000, '6.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY7', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'classic', 'classic', 'Classic (2019)', 'classic (2019)', 15, 'monthly', 0, 0, 'No longer sold; a few clients still have it.', 1, 4096, 60, 1000, '9.00', 'EUR', 1768478400000, 1768478400001);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY8', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'business', 'business', 'Business', 'business', 20, 'monthly', 1, 0, 'Room for a shop and its database.', 2, 8192, 120, 3000, '18.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY9', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'performance', 'performance', 'Performance', 'performance', 30, 'monthly', 1, 0, 'For sites that many people visit at once.', 4, 16384, 240, 6000, '36.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JYA', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'dedicated', 'dedicated', 'Dedicated Server', 'dedicated server', 40, 'monthly', 1, 1, 'A machine of its own, made ready by hand.', 16, 65536, 960, 20000, '129.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JYB', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'flex-small', 'flex-small', 'Flex Small', 'flex small', 10, 'hourly', 1, 0, 'Billed by the hour.', 1, 2048, 40, 1000, '0.012', 'EUR', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JYC', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'flex-large', 'flex-large', 'Flex Large', 'flex large', 20, 'hourly', 1, 0, 'Billed by the hour.', 4, 16384, 160, 4000, '0.061', 'EUR', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'basic', 'basic', 'Basic', 'basic', 1, 'monthly', 1, 0, NULL, 1, 1024, 20, 500, '4.90', 'USD', 1768478400000, 1768478400000);
INSERT INTO "plans" VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JZ3', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'plus', 'plus', 'Plus', 'plus', 2, 'monthly', 1, 0, NULL, 2, 4096, 80, 2000, '14.90', 'USD', 1768478400000, 1768478400000);
INSERT INTO "report_recipients" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'accounts@demo-hosting.example.com', 'accounts@demo-hosting.example.com', 1768478400000);
INSERT INTO "request_history" VALUES ('evt_01KES17JG0476PAPK07NYAS3RV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KES17JG0TMGVQN24ZEKX43AG', 'approved', 1768219200000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEY610G0P1RG16C8AQ44SE62', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEY610G072RXTW99GCV94N0A', 'pending', 1768392000000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEVKM9G0NHB2G4GBG8K81JG5', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEVKM9G0BHKJNAHVRSC44FAV', 'pending', 1768305600000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEY610G0YA7392WQ9QF6F35D', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEY610G0V6GVP1T03SBVM8EV', 'operator_review', 1768392000000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEPETVG04MEMZCVBCBJDGF6X', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEPETVG0EBRGHJ8A6CFTK8GF', 'operator_review', 1768132800000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KES17JG018MKB4Q1BBG0E0PH', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEPETVG0EBRGHJ8A6CFTK8GF', 'accepted', 1768219200000, 'operator', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEKWE4G0Q65BNM6T4MNPDMTD', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEKWE4G0CTDK8RFQVJE653KF', 'pending', 1768046400000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEPETVG02YS403CXSS659HBQ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEKWE4G0CTDK8RFQVJE653KF', 'accepted', 1768132800000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KDD8FBG0P8EAH6S751YV83TJ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KDD8FBG0X1ZHJDMRAHA2CV4A', 'accepted', 1766750400000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KDD8H630Z0SV5F490590ABT2', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KDD8FBG0X1ZHJDMRAHA2CV4A', 'completed', 1766750460000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01KE70EHG00NC0BMKTP4P9FEYD', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE70EHG0ZWQT3HFWDHVB0WPP', 'accepted', 1767614400000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KE70GC30NAD1AGYG7G66PNB4', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE70EHG0ZWQT3HFWDHVB0WPP', 'completed', 1767614460000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEVKM9G0WBQX7S63FFSZCT71', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEVKM9G0C2ZYA71R225E54BQ', 'accepted', 1768305600000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEVKP430XESVEPJ9GNVCB5K1', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEVKM9G0C2ZYA71R225E54BQ', 'completed', 1768305660000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01KE1VN3G03QS7VPFY3QEPXCYH', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE1VN3G0GND4QX86FV83Y6RG', 'accepted', 1767441600000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KE1VPY308N2EY71CD1GTZB26', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE1VN3G0GND4QX86FV83Y6RG', 'completed', 1767441660000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01KCKGG5G0B9ATPMTFZ9YSJDWV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KCKGG5G0AAG9JP4TMN5CC8XM', 'accepted', 1765886400000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KCKGJ03036MPV0K8T1PZD6VB', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KCKGG5G0AAG9JP4TMN5CC8XM', 'completed', 1765886460000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEHA1DG0JGXV2KHD3PXSHXN8', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEHA1DG07R2BSCH63ARVC8XP', 'accepted', 1767960000000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEHA3830NYCME6WD2VYG0ZN6', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEHA1DG07R2BSCH63ARVC8XP', 'failed', 1767960060000, 'system', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEC57ZG05W165Z2F2GMDQYT9', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEC57ZG0H5SE1411KE9GVDJC', 'pending', 1767787200000, 'client', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEEQMPG06XCFDPFSNQ28WWFF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEC57ZG0H5SE1411KE9GVDJC', 'denied', 1767873600000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KE9JV8G0WZCZSP6Y0M9B2YTG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE9JV8G0D8PV2D7YVJPPNG4T', 'operator_review', 1767700800000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KEEQMPG0SG98VT8YBQAZ1Y6Y', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE9JV8G0D8PV2D7YVJPPNG4T', 'denied', 1767873600000, 'operator', NULL);
INSERT INTO "request_history" VALUES ('evt_01KF07YCG0402P4PY2C651Q3NV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KF07YCG0BF51HB9XPMY8B0B3', 'operator_review', 1768461120000, 'broker', NULL);
INSERT INTO "request_history" VALUES ('evt_01KF0M9WR0N9YYRWKTDJ59SM0A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KF0M9WR0NW9CA56EAGZBWC5P', 'operator_review', 1768474080000, 'broker', NULL);
INSERT INTO "requests" VALUES ('req_01KES17JG0TMGVQN24ZEKX43AG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000009, 'cancellation-warning', 'approved', 'broker', 1768219200000, 1768219200000, 1768219200000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Two invoices are overdue.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEY610G072RXTW99GCV94N0A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000017, 'plan-upgrade', 'pending', 'client', 1768392000000, 1768392000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEVKM9G0BHKJNAHVRSC44FAV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000018, 'cancellation', 'pending', 'client', 1768305600000, 1768305600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'end_of_term', 'The project has ended.', NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEY610G0V6GVP1T03SBVM8EV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000019, 'plan-upgrade', 'operator_review', 'broker', 1768392000000, 1768392000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'pln_01KF0RDQG0SCCHGYHHAN565JYA', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEPETVG0EBRGHJ8A6CFTK8GF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000020, 'plan-downgrade', 'accepted', 'broker', 1768132800000, 1768219200000, NULL, 'accept', 'operator', NULL, 1768219200000, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 1769990400000, NULL, NULL, 1769990400000, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEKWE4G0CTDK8RFQVJE653KF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000021, 'cancellation', 'accepted', 'client', 1768046400000, 1768132800000, NULL, 'approve', 'broker', NULL, 1768132800000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1769644800000, 'end_of_term', 'We are moving in with another team.', 1769644800000, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KDD8FBG0X1ZHJDMRAHA2CV4A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000022, 'plan-upgrade', 'completed', 'broker', 1766750400000, 1766750460000, 1766750460000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 1766750400000, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KE70EHG0ZWQT3HFWDHVB0WPP', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000024, 'service-creation', 'completed', 'broker', 1767614400000, 1767614460000, 1767614460000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEVKM9G0C2ZYA71R225E54BQ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000010, 'service-suspension', 'completed', 'broker', 1768305600000, 1768305660000, 1768305660000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1768305600000, NULL, 'Two invoices are overdue.', NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KE1VN3G0GND4QX86FV83Y6RG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000002, 'service-unsuspension', 'completed', 'broker', 1767441600000, 1767441660000, 1767441660000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767441600000, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KCKGG5G0AAG9JP4TMN5CC8XM', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000013, 'cancellation', 'completed', 'broker', 1765886400000, 1765886460000, 1765886460000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1765886400000, 'immediate', NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEHA1DG07R2BSCH63ARVC8XP', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000023, 'plan-upgrade', 'failed', 'broker', 1767960000000, 1767960060000, 1767960060000, NULL, NULL, NULL, NULL, 'provisioning_failed', 'No host had room for the larger plan', 1, 1, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 1767960000000, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KEC57ZG0H5SE1411KE9GVDJC', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000002, 'plan-upgrade', 'denied', 'client', 1767787200000, 1767873600000, 1767873600000, 'deny', 'broker', 'Please settle the open invoice first.', 1767873600000, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KE9JV8G0D8PV2D7YVJPPNG4T', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000025, 'plan-upgrade', 'denied', 'broker', 1767700800000, 1767873600000, 1767873600000, 'deny', 'operator', 'The migration is planned for next month.', 1767873600000, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KF07YCG0BF51HB9XPMY8B0B3', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000025, 'plan-upgrade', 'operator_review', 'broker', 1768461120000, 1768461120000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "requests" VALUES ('req_01KF0M9WR0NW9CA56EAGZBWC5P', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000003, 'plan-downgrade', 'operator_review', 'broker', 1768474080000, 1768474080000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO "sequences" VALUES ('service_number', 1000001);
INSERT INTO "services" VALUES (1000001, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'shop.example.com', 'C-1000001', 'Ada Example', 'client-1000001@example.com', 'client-1000001@example.com', 'shop.example.comZada exampleZc-1000001', 0, 1733875200000, 1769472000000, NULL, NULL, NULL, NULL, 1768478400000, 2246400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000002, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'blog.example.com', 'C-1000002', 'Ben Sample', 'client-1000002@example.com', 'client-1000002@example.com', 'blog.example.comZben sampleZc-1000002', 0, 1740787200000, 1770163200000, NULL, NULL, NULL, NULL, 1768478400003, 259200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000003, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'team.example.com', 'C-1000003', 'Clara Muster', 'client-1000003@example.com', 'client-1000003@example.com', 'team.example.comZclara musterZc-1000003', 0, 1742515200000, 1768867200000, NULL, NULL, NULL, NULL, 1768478400001, 1641600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000004, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY7', 'archive.example.com', 'C-1000004', 'Dan Ejemplo', 'client-1000004@example.com', 'client-1000004@example.com', 'archive.example.comZdan ejemploZc-1000004', 0, 1638835200000, 1770854400000, NULL, NULL, NULL, NULL, 1768478400000, 950400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000005, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'render-1', 'C-1000005', 'Eva Esempio', 'client-1000005@example.com', 'client-1000005@example.com', 'render-1Zeva esempioZc-1000005', 0, 1764979200000, NULL, NULL, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000006, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'render-2', 'C-1000006', 'Eva Esempio', 'client-1000006@example.com', 'client-1000006@example.com', 'render-2Zeva esempioZc-1000006', 0, 1765152000000, NULL, NULL, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000007, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'noaddress.example.com', 'C-1000007', 'Finn Exemple', NULL, NULL, 'noaddress.example.comZfinn exempleZc-1000007', 0, 1751155200000, 1769212800000, NULL, NULL, NULL, NULL, 1768478400000, 1987200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000008, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'badaddress.example.com', 'C-1000008', 'Greta Voorbeeld', 'greta at home', 'greta at home', 'badaddress.example.comZgreta voorbeeldZc-1000008', 0, 1752019200000, 1769212800000, NULL, NULL, NULL, NULL, 1768478400000, 1987200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000009, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspended', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'paused.example.com', 'C-1000009', 'Hal Example', 'client-1000009@example.com', 'client-1000009@example.com', 'paused.example.comZhal exampleZc-1000009', 0, 1752883200000, 1768694400000, NULL, NULL, NULL, NULL, 1768478400000, 1468800000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000010, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspended', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'render-3', 'C-1000010', 'Ida Przykład', 'client-1000010@example.com', 'client-1000010@example.com', 'render-3Zida przykładZc-1000010', 0, 1766275200000, NULL, NULL, NULL, NULL, NULL, 1768478400001, NULL, 'broker', 'Two invoices are overdue.', 1768305660000, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000011, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'pending', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'new.example.com', 'C-1000011', 'Jon Dæmi', 'client-1000011@example.com', 'client-1000011@example.com', 'new.example.comZjon dæmiZc-1000011', 0, 1768348800000, 1771027200000, NULL, NULL, NULL, NULL, 1768478400000, 1123200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000012, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'pending', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', NULL, 'C-1000012', 'Kim Örnek', 'client-1000012@example.com', 'client-1000012@example.com', 'kim örnekZc-1000012', 0, 1768348800000, NULL, NULL, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000013, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancelled', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'gone.example.com', 'C-1000013', 'Lea Beispiel', 'client-1000013@example.com', 'client-1000013@example.com', 'gone.example.comZlea beispielZc-1000013', 0, 1707955200000, NULL, 1765843200000, 'immediate', 1765886400000, 'req_01KCKGG5G0AAG9JP4TMN5CC8XM', 1768478400001, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000014, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancelled', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'left.example.com', 'C-1000014', 'Max Beispiel', 'client-1000014@example.com', 'client-1000014@example.com', 'left.example.comZmax beispielZc-1000014', 0, 1712275200000, NULL, 1760659200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000015, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'terminated', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'ended.example.com', 'C-1000015', 'Nia Enghraifft', 'client-1000015@example.com', 'client-1000015@example.com', 'ended.example.comZnia enghraifftZc-1000015', 0, 1690675200000, NULL, 1751155200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000016, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'terminated', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'render-4', 'C-1000016', 'Olu Apẹẹrẹ', 'client-1000016@example.com', 'client-1000016@example.com', 'render-4Zolu apẹẹrẹZc-1000016', 0, 1758931200000, NULL, 1763251200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000017, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'wants-more.example.com', 'C-1000017', 'Pia Exempel', 'client-1000017@example.com', 'client-1000017@example.com', 'wants-more.example.comZpia exempelZc-1000017', 0, 1755475200000, 1769817600000, NULL, NULL, NULL, NULL, 1768478400001, 2592000000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000018, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'wants-out.example.com', 'C-1000018', 'Quinn Example', 'client-1000018@example.com', 'client-1000018@example.com', 'wants-out.example.comZquinn exampleZc-1000018', 0, 1756339200000, 1770336000000, NULL, NULL, NULL, NULL, 1768478400001, 432000000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000019, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'review.example.com', 'C-1000019', 'Rosa Ejemplo', 'client-1000019@example.com', 'client-1000019@example.com', 'review.example.comZrosa ejemploZc-1000019', 0, 1757203200000, 1770595200000, NULL, NULL, NULL, NULL, 1768478400001, 691200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000020, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'smaller-soon.example.com', 'C-1000020', 'Sven Eksempel', 'client-1000020@example.com', 'client-1000020@example.com', 'smaller-soon.example.comZsven eksempelZc-1000020', 0, 1758067200000, 1769990400000, NULL, NULL, NULL, NULL, 1768478400002, 86400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000021, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'leaving.example.com', 'C-1000021', 'Tara Udaharan', 'client-1000021@example.com', 'client-1000021@example.com', 'leaving.example.comZtara udaharanZc-1000021', 0, 1758499200000, 1769644800000, NULL, 'end_of_term', 1769644800000, 'req_01KEKWE4G0CTDK8RFQVJE653KF', 1768478400002, 2419200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000022, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'grown.example.com', 'C-1000022', 'Udo Beispiel', 'client-1000022@example.com', 'client-1000022@example.com', 'grown.example.comZudo beispielZc-1000022', 0, 1759795200000, 1769040000000, NULL, NULL, NULL, NULL, 1768478400001, 1814400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000023, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'unlucky.example.com', 'C-1000023', 'Vera Primjer', 'client-1000023@example.com', 'client-1000023@example.com', 'unlucky.example.comZvera primjerZc-1000023', 0, 1760227200000, 1769385600000, NULL, NULL, NULL, NULL, 1768478400002, 2160000000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000024, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'fresh.example.com', 'C-1000024', 'Wim Voorbeeld', 'client-1000024@example.com', 'client-1000024@example.com', 'fresh.example.comZwim voorbeeldZc-1000024', 0, 1767571200000, 1770249600000, NULL, NULL, NULL, NULL, 1768478400001, 345600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000025, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'watched.example.com', 'C-1000025', 'Xenia Paradeigma', 'client-1000025@example.com', 'client-1000025@example.com', 'watched.example.comZxenia paradeigmaZc-1000025', 1, 1761523200000, 1769558400000, NULL, NULL, NULL, NULL, 1768478400004, 2332800000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO "services" VALUES (1000101, 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'www.example.net', 'C-1000101', 'Yara Example', 'client-1000101@example.com', 'client-1000101@example.com', 'www.example.netZyara exampleZc-1000101', 0, 1763251200000, 1769731200000, NULL, NULL, NULL, NULL, 1768478400000, 2505600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JZ7');
INSERT INTO "services" VALUES (1000102, 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JZ3', 'mail.example.net', 'C-1000102', 'Zoe Example', 'client-1000102@example.com', 'client-1000102@example.com', 'mail.example.netZzoe exampleZc-1000102', 0, 1764115200000, 1769299200000, NULL, NULL, NULL, NULL, 1768478400000, 2073600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JZ7');
INSERT INTO "services" VALUES (1000103, 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'cancelled', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'old.example.net', 'C-1000103', 'Zoe Example', 'client-1000103@example.com', 'client-1000103@example.com', 'old.example.netZzoe exampleZc-1000103', 0, 1725235200000, NULL, 1766707200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JZ7');
INSERT INTO "settings" VALUES ('sandbox_secret', 'e4b72ff907cdc2d68f156a6773aa469e6f70c066a1e9744abefba1f5d19d2d89');
INSERT INTO "templates" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation', '<!doctype html>
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
', 1, 1768478400000);
INSERT INTO "templates" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 'Your service {{ service_number }} is now on the plan {{ plan_name }}', '<!doctype html>
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
', 1, 1768478400000);
INSERT INTO "templates" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 'Your new service {{ service_number }} is ready', '<!doctype html>
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
', 1, 1768478400000);
INSERT INTO "templates" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-completed', 'Your service {{ service_number }} has been cancelled', '<!doctype html>
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
', 1, 1768478400000);
INSERT INTO "templates" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspension-completed', 'Your service {{ service_number }} is suspended', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} is suspended. Your data is kept.</p>
<p>Please contact us to have it activated again.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is suspended. Your data is kept.
Please contact us to have it activated again.

Kind regards,
{{ broker_name }}
', 1, 1768478400000);
INSERT INTO "templates" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'unsuspension-completed', 'Your service {{ service_number }} is active again', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} is active again.</p>
<p>Thank you for your patience.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is active again.
Thank you for your patience.

Kind regards,
{{ broker_name }}
', 1, 1768478400000);
INSERT INTO "email_log" VALUES ('eml_01KEXZ5980HH8Q5HY56298WTCK', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1000022, NULL, 'sent', 'client-1000022@example.com', 'Your service 1000022 has a new plan', '<!doctype html><p>Your service 1000022 has a new plan.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000022 has a new plan.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000022', 1768384800000, 1768384800400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KEYCWQR0R09NNNYXJP3S6PKH', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000001, NULL, 'sent', 'client-1000001@example.com', 'Your service 1000001 is at risk of cancellation', '<!doctype html><p>Your service 1000001 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000001 is at risk of cancellation.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000001', 1768399200000, 1768399200400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KEYKRF008MZ6T9EGH4JSJC4A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 1000024, NULL, 'sent', 'client-1000024@example.com', 'Your new service 1000024 is ready', '<!doctype html><p>Your new service 1000024 is ready.</p><p>This email is part of the demo; it was not sent.</p>', 'Your new service 1000024 is ready.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000024', 1768406400000, 1768406400400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KEYSFJC0EM67R5QYDYQ8G89B', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000024, NULL, 'sent', 'client-1000024@example.com', 'Your service 1000024 is at risk of cancellation', '<!doctype html><p>Your service 1000024 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000024 is at risk of cancellation.

This email is part of the demo; it was not sent.
', NULL, NULL, NULL, 1768412400000, NULL, 1768456800000, 'The client has answered it.', NULL);
INSERT INTO "email_log" VALUES ('eml_01KEYY21W0JQX1VNQ9A0XWZP0S', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000004, NULL, 'sent', 'client-1000004@example.com', 'Your service 1000004 is at risk of cancellation', '<!doctype html><p>Your service 1000004 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000004 is at risk of cancellation.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000004', 1768417200000, 1768417200400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KEZBSGC0W8C4QMB341CWVHX0', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1000003, NULL, 'sent', 'client-1000003@example.com', 'Your service 1000003 has a new plan', '<!doctype html><p>Your service 1000003 has a new plan.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000003 has a new plan.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000003', 1768431600000, 1768431600400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KEZSGYW0Z1VZVNV30AGNK6RD', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000023, NULL, 'failed', 'client-1000023@example.com', 'Your service 1000023 is at risk of cancellation', '<!doctype html><p>Your service 1000023 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000023 is at risk of cancellation.

This email is part of the demo; it was not sent.
', 'rejected', '406', NULL, 1768446000000, 1768446000400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF00CP40YACFE8C7P3GTP7C8', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000002, NULL, 'sent', 'client-1000002@example.com', 'Your service 1000002 is at risk of cancellation', '<!doctype html><p>Your service 1000002 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000002 is at risk of cancellation.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000002', 1768453200000, 1768453200400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF078DC0CRCM501GGE8GEQZ6', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1000025, NULL, 'sent', 'client-1000025@example.com', 'Your service 1000025 has a new plan', '<!doctype html><p>Your service 1000025 has a new plan.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000025 has a new plan.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000025', 1768460400000, 1768460400400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF0DTZN0P4XA6BB3FE27BETR', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000009, NULL, 'unknown', 'client-1000009@example.com', 'Your service 1000009 is at risk of cancellation', '<!doctype html><p>Your service 1000009 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000009 is at risk of cancellation.

This email is part of the demo; it was not sent.
', 'outcome_unknown', NULL, NULL, 1768467300000, NULL, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF0FV2E0XFDW5WZ7FXRN0W8M', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 1000011, NULL, 'sent', 'client-1000011@example.com', 'Your new service 1000011 is ready', '<!doctype html><p>Your new service 1000011 is ready.</p><p>This email is part of the demo; it was not sent.</p>', 'Your new service 1000011 is ready.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000011', 1768469400000, 1768469400400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF0JZS30Z7SBNJ6K8K5Y4JE3', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000018, NULL, 'failed', 'client-1000018@example.com', 'Your service 1000018 is at risk of cancellation', '<!doctype html><p>Your service 1000018 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000018 is at risk of cancellation.

This email is part of the demo; it was not sent.
', 'unreachable', NULL, NULL, 1768472700000, 1768472700400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF0P4FR0E6V1FGYF46TFXTB1', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000017, NULL, 'unknown', 'client-1000017@example.com', 'Your service 1000017 is at risk of cancellation', '<!doctype html><p>Your service 1000017 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000017 is at risk of cancellation.

This email is part of the demo; it was not sent.
', 'outcome_unknown', NULL, NULL, 1768476000000, NULL, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF0QQRC05PP7K8G6JBDAPMSF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000021, NULL, 'sent', 'client-1000021@example.com', 'Your service 1000021 is at risk of cancellation', '<!doctype html><p>Your service 1000021 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000021 is at risk of cancellation.

This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000021', 1768477680000, 1768477680400, NULL, NULL, NULL);
INSERT INTO "email_log" VALUES ('eml_01KF0RDQG0SCCHGYHHAN565JZG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'template-test', NULL, NULL, 'sent', 'ada@example.com', 'Your new service 1000001 is ready', '<!doctype html>
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
', NULL, NULL, 'fixture', 1768478400000, 1768478400000, NULL, NULL, NULL);
INSERT INTO "audit_trail" VALUES ('aud_01KEXHDTR0HJS62DGPRPXM1RDZ', 1768370400000, 'operator', 'operator@example.com', '127.0.0.1', 'plan.set', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan/classic', '{"active":true}', '{"active":false}');
INSERT INTO "audit_trail" VALUES ('aud_01KEY9EW40RM7M1XWRNGJJSZ4Y', 1768395600000, 'operator', 'operator@example.com', '127.0.0.1', 'firewall.allow', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'broker/demo-other', NULL, '{"rule":"203.0.113.0/24","note":"Shop servers"}');
INSERT INTO "audit_trail" VALUES ('aud_01KEZJN7M0QZ6MQ3YJCX3F11EG', 1768438800000, 'operator', 'operator@example.com', '127.0.0.1', 'service.set', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service/1000025', '{"requires_operator_review":false}', '{"requires_operator_review":true}');
INSERT INTO "audit_trail" VALUES ('aud_01KF03THR0WRF7SBG7BZX64A3N', 1768456800000, 'operator', 'operator@example.com', '127.0.0.1', 'email.settle', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'email/eml_01KEYSFJC0EM67R5QYDYQ8G89B', '{"email_status":"unknown"}', '{"email_status":"sent"}');
INSERT INTO "calls" VALUES ('SxlZMApx3iF3-1', 1768305738461, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO "calls" VALUES ('SxlZMApx3iF3-2', 1768306015384, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO "calls" VALUES ('SxlZMApx3iF3-3', 1768306292307, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO "calls" VALUES ('SxlZMApx3iF3-4', 1768306569230, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO "usage" VALUES (1, 1768305600000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'listServices', 'ok', 9, 256, 0, 0, 0, 0, 0, 0, 0, 64, 116, 51, 0, 20, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO "usage" VALUES (2, 1768305600000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'listServices', 'ok', 9, 256, 0, 0, 0, 0, 0, 0, 0, 64, 116, 51, 0, 20, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO "usage" VALUES (3, 1768262400000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'listServices', 'ok', 9, 2411, 0, 0, 0, 0, 0, 0, 0, 602, 1088, 479, 0, 192, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO "usage" VALUES (1, 1768305600000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'getService', 'ok', 9, 209, 0, 0, 0, 0, 0, 52, 94, 42, 0, 17, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO "console_links" VALUES ('link', 'opr_01KF0RDQG0SCCHGYHHAN565JZA', 1768478400000, 1768479300000);
INSERT INTO "console_sessions" VALUES ('ses_1', 'session', 'opr_01KF0RDQG0SCCHGYHHAN565JZA', 1768478400000, 1768478400000, 1768479300000, NULL, NULL);
INSERT INTO "operators" VALUES ('opr_01KF0RDQG0SCCHGYHHAN565JZA', 'operator@example.com', 'operator@example.com', 'Demo operator', 'admin', 1, 1768478400000, 1768478400000, NULL);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation', 'accepted', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation', 'completed', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation', 'pending', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation-warning', 'approved', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-downgrade', 'accepted', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-downgrade', 'operator_review', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'completed', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'denied', 0, 2);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'failed', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'operator_review', 0, 2);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'pending', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'service-creation', 'completed', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'service-suspension', 'completed', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'service-unsuspension', 'completed', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'active', 0, 8);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'cancelled', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'suspended', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'terminated', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY7', 'active', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'active', 0, 3);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'cancelled', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'pending', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'active', 0, 3);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'active', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'pending', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'suspended', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'active', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'terminated', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'active', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'cancelled', 0, 1);
INSERT INTO "counters" VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JZ3', 'active', 0, 1);
INSERT INTO "template_versions" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1, 'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation', '<!doctype html>
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
', 'ada', 1768478400000);
INSERT INTO "template_versions" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1, 'Your service {{ service_number }} is now on the plan {{ plan_name }}', '<!doctype html>
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
', 'ada', 1768478400000);
INSERT INTO "template_versions" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 1, 'Your new service {{ service_number }} is ready', '<!doctype html>
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
', 'ada', 1768478400000);
INSERT INTO "template_versions" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-completed', 1, 'Your service {{ service_number }} has been cancelled', '<!doctype html>
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
', 'ada', 1768478400000);
INSERT INTO "template_versions" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspension-completed', 1, 'Your service {{ service_number }} is suspended', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} is suspended. Your data is kept.</p>
<p>Please contact us to have it activated again.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is suspended. Your data is kept.
Please contact us to have it activated again.

Kind regards,
{{ broker_name }}
', 'ada', 1768478400000);
INSERT INTO "template_versions" VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'unsuspension-completed', 1, 'Your service {{ service_number }} is active again', '<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">
<p>Dear {{ client_name }},</p>
<p>your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} is active again.</p>
<p>Thank you for your patience.</p>
<p>Kind regards,<br>{{ broker_name }}</p>
</body>
</html>
', 'Dear {{ client_name }},

your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is active again.
Thank you for your patience.

Kind regards,
{{ broker_name }}
', 'ada', 1768478400000);
