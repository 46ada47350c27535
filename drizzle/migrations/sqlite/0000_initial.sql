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
--> statement-breakpoint
CREATE UNIQUE INDEX `brokers_slug_unique` ON `brokers` (`slug`);--> statement-breakpoint
CREATE TABLE `counters` (
	`broker_id` text NOT NULL,
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `subject`, `kind`, `status`)
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
	`provider_code` integer,
	`provider_message_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`erased_at` integer,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_log_newest` ON `email_log` (`broker_id`,`created_at`,`id`);--> statement-breakpoint
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
CREATE INDEX `requests_by_update` ON `requests` (`broker_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `requests_due` ON `requests` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `requests_open` ON `requests` (`service_number`) WHERE status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_plan_change` ON `requests` (`service_number`) WHERE type in ('plan-upgrade', 'plan-downgrade') and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX `requests_one_open_cancellation` ON `requests` (`service_number`) WHERE type = 'cancellation' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
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
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `services_newest` ON `services` (`broker_id`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_status` ON `services` (`broker_id`,`status`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_plan` ON `services` (`broker_id`,`plan_id`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_email` ON `services` (`broker_id`,`client_email_folded`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `services_by_renewal` ON `services` (`broker_id`,`renewal_at`,`created_at`,`number`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
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
