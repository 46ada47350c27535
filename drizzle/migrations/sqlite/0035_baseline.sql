-- The schema of release 1.1.0, under the date of its last migration: a database of 1.1 takes it as applied.
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
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_publicId_unique` ON `api_keys` (`public_id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_broker` ON `api_keys` (`broker_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `api_keys_newest` ON `api_keys` (`created_at`,`public_id`);--> statement-breakpoint
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
CREATE TABLE `brokers` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`contact_email` text NOT NULL,
	`sender_email` text NOT NULL,
	`ip_restriction_enabled` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`rate_limit` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brokers_slug_unique` ON `brokers` (`slug`);--> statement-breakpoint
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
	`duration_us` integer NOT NULL,
	`gate` integer
);
--> statement-breakpoint
CREATE INDEX `calls_newest` ON `calls` (`at`,`request_id`);--> statement-breakpoint
CREATE INDEX `calls_by_broker` ON `calls` (`broker_id`,`at`);--> statement-breakpoint
CREATE INDEX `calls_by_key` ON `calls` (`key_id`,`at`);--> statement-breakpoint
CREATE INDEX `calls_by_code` ON `calls` (`code`,`at`) WHERE code is not null;--> statement-breakpoint
CREATE TABLE `console_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `console_links_by_operator` ON `console_links` (`operator_id`,`created_at`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_tokenHash_unique` ON `console_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `console_sessions_by_operator` ON `console_sessions` (`operator_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `counters` (
	`broker_id` text NOT NULL,
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`slot` integer DEFAULT 0 NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `subject`, `kind`, `status`, `slot`)
);
--> statement-breakpoint
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
	`provider_code` text,
	`provider_message_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`settled_at` integer,
	`settled_note` text,
	`erased_at` integer,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_log_newest` ON `email_log` (`broker_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `email_log_of_service` ON `email_log` (`broker_id`,`service_number`,`created_at`);--> statement-breakpoint
CREATE INDEX `email_log_to_erase` ON `email_log` (`created_at`) WHERE erased_at is null;--> statement-breakpoint
CREATE INDEX `email_log_undecided` ON `email_log` (`created_at`) WHERE status in ('open', 'unknown');--> statement-breakpoint
CREATE TABLE `firewall_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`rule` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `firewall_rules_once` ON `firewall_rules` (`broker_id`,`rule`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `idempotency_expiry` ON `idempotency_records` (`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `invoices_issued` ON `invoices` (`broker_id`,`issued_at`,`invoice_number`);--> statement-breakpoint
CREATE INDEX `invoices_by_service` ON `invoices` (`broker_id`,`service_number`,`issued_at`,`invoice_number`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_emailFolded_unique` ON `operators` (`email_folded`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `plans_slug_once` ON `plans` (`broker_id`,`slug_folded`);--> statement-breakpoint
CREATE UNIQUE INDEX `plans_display_name_once` ON `plans` (`broker_id`,`display_name_folded`);--> statement-breakpoint
CREATE INDEX `plans_in_order` ON `plans` (`broker_id`,`upgrade_rank`,`id`);--> statement-breakpoint
CREATE TABLE `report_recipients` (
	`broker_id` text NOT NULL,
	`email` text NOT NULL,
	`email_folded` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `email_folded`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `request_history_in_order` ON `request_history` (`request_id`,`at`,`id`);--> statement-breakpoint
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
	`work_token` text,
	`work_begun_at` integer,
	`cleans_up` integer,
	`action_name` text,
	`action_display_name` text,
	`action_configuration` text,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`current_plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`new_plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `requests_newest` ON `requests` (`broker_id`,submitted_at desc,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_status` ON `requests` (`broker_id`,`status`,submitted_at desc,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_type` ON `requests` (`broker_id`,`type`,submitted_at desc,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_service` ON `requests` (`broker_id`,`service_number`,submitted_at desc,`id`);--> statement-breakpoint
CREATE INDEX `requests_in_step` ON `requests` (`broker_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_refused` ON `requests` (`id`) WHERE status in ('failed', 'denied');--> statement-breakpoint
CREATE INDEX `requests_due` ON `requests` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `requests_open` ON `requests` (`service_number`) WHERE status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_plan_change` ON `requests` (`service_number`) WHERE type in ('plan-upgrade', 'plan-downgrade') and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_cancellation` ON `requests` (`service_number`) WHERE type = 'cancellation' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_suspend` ON `requests` (`service_number`) WHERE type = 'service-suspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_unsuspend` ON `requests` (`service_number`) WHERE type = 'service-unsuspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_action` ON `requests` (`service_number`) WHERE type = 'service-action' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`next_value` integer NOT NULL
);
--> statement-breakpoint
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
	`renewal_anchor` integer,
	`suspended_by` text,
	`suspension_reason` text,
	`suspended_at` integer,
	`import_id` text,
	`configuration` text,
	`access` text,
	`reference` text,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `services_newest` ON `services` (`broker_id`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_status` ON `services` (`broker_id`,`status`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_plan` ON `services` (`broker_id`,`plan_id`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_email` ON `services` (`broker_id`,`client_email_folded`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_renewal` ON `services` (`broker_id`,`renewal_at`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_reference` ON `services` (`broker_id`,`external_reference`,`created_at`,`number`) WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX `services_by_update` ON `services` (`broker_id`,`updated_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_of_import` ON `services` (`broker_id`,`import_id`,`number`) WHERE import_id is not null;--> statement-breakpoint
CREATE INDEX `services_to_renew` ON `services` (`renewal_at`) WHERE renewal_at is not null and status in ('pending', 'active', 'suspended');--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
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
	`busiest` integer,
	PRIMARY KEY(`stage`, `from_at`, `broker_id`, `key_id`, `operation`, `outcome`, `gate`)
);
--> statement-breakpoint
CREATE INDEX `usage_by_broker` ON `usage` (`broker_id`,`stage`,`from_at`);--> statement-breakpoint
CREATE TABLE `consumption` (
	`service_number` integer PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`measured_at` integer NOT NULL,
	`period_from` integer,
	`disk_gb_used` text,
	`transfer_gb_used` text,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `plan_offers` (
	`plan_id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`options` text NOT NULL,
	`actions` text NOT NULL,
	`has_credentials` integer NOT NULL,
	`provisioning` text,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
CREATE INDEX `consumption_by_number` ON `consumption` (`broker_id`,`service_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_publicId_unique` ON `operator_keys` (`public_id`);--> statement-breakpoint
-- Written by hand from here on: what the generator does not know.
-- Substring search on services: an index of trigrams that reads its text from the table itself.
CREATE VIRTUAL TABLE service_search USING fts5(search_text, content = 'services', content_rowid = 'number', tokenize = 'trigram case_sensitive 1');--> statement-breakpoint
CREATE TRIGGER services_search_insert AFTER INSERT ON services BEGIN
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;--> statement-breakpoint
CREATE TRIGGER services_search_update AFTER UPDATE OF search_text ON services WHEN old.search_text <> new.search_text BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;--> statement-breakpoint
CREATE TRIGGER services_search_delete AFTER DELETE ON services BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
END;--> statement-breakpoint
-- Keeps the audit trail as it was written. SQLite replaces a row without the triggers of a delete, so an insert over an
-- existing row is refused as well.
CREATE TRIGGER audit_trail_kept_as_written BEFORE UPDATE ON audit_trail BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;--> statement-breakpoint
CREATE TRIGGER audit_trail_never_replaced BEFORE INSERT ON audit_trail
WHEN EXISTS (SELECT 1 FROM audit_trail WHERE id = new.id) OR EXISTS (SELECT 1 FROM audit_trail WHERE rowid = new.rowid) BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;--> statement-breakpoint
CREATE TRIGGER audit_trail_kept_a_year BEFORE DELETE ON audit_trail
WHEN old.at > unixepoch('subsec') * 1000 - 31536000000 BEGIN
  SELECT RAISE(ABORT, 'the audit trail is kept for 365 days');
END;--> statement-breakpoint
-- For changes of a status that do not name who suspended the service.
CREATE TRIGGER services_suspension AFTER UPDATE ON services
WHEN (new.status = 'suspended') = (new.suspended_at IS NULL)
BEGIN
  UPDATE services SET
    suspended_by = CASE new.status WHEN 'suspended' THEN 'operator' END,
    suspension_reason = NULL,
    suspended_at = CASE WHEN new.status = 'suspended'
      THEN CASE old.status WHEN 'suspended' THEN old.updated_at ELSE new.updated_at END END
  WHERE number = new.number;
END;--> statement-breakpoint
-- What names this database, and the number of its first service.
INSERT INTO settings (name, value) VALUES ('sandbox_secret', lower(hex(randomblob(32))));--> statement-breakpoint
INSERT INTO sequences (name, next_value) VALUES ('service_number', 1000001);--> statement-breakpoint
-- The migrations of release 1.1 before it, without which a process of 1.1 does not know the database.
INSERT INTO schema_migrations (made_at, hash) VALUES (1795505168949, '1.1'), (1795604747532, '1.1'), (1795604748532, '1.1'), (1795637169184, '1.1'), (1795637169185, '1.1');
