-- The schema of release 1.1.0, under the date of its last migration: a database of 1.1 takes it as applied.
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"public_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"rate_limit" bigint,
	"expires_at" bigint,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"last_used_ip" text COLLATE "C",
	"rotated_from_id" text COLLATE "C",
	CONSTRAINT "api_keys_publicId_unique" UNIQUE("public_id")
);
--> statement-breakpoint
CREATE TABLE "audit_trail" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"actor_kind" text COLLATE "C" NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"client_ip" text COLLATE "C",
	"action" text COLLATE "C" NOT NULL,
	"broker_id" text COLLATE "C",
	"subject" text COLLATE "C" NOT NULL,
	"before" text COLLATE "C",
	"after" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "brokers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"contact_email" text COLLATE "C" NOT NULL,
	"sender_email" text COLLATE "C" NOT NULL,
	"ip_restriction_enabled" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"rate_limit" bigint,
	CONSTRAINT "brokers_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"request_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"client_ip" text COLLATE "C",
	"method" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"service_number" bigint,
	"status" bigint NOT NULL,
	"code" text COLLATE "C",
	"reason" text COLLATE "C",
	"duration_us" bigint NOT NULL,
	"gate" bigint
);
--> statement-breakpoint
CREATE TABLE "console_links" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"operator_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"operator_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ip" text COLLATE "C",
	"user_agent" text COLLATE "C",
	CONSTRAINT "console_sessions_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"broker_id" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"value" bigint NOT NULL,
	"slot" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "counters_broker_id_subject_kind_status_slot_pk" PRIMARY KEY("broker_id","subject","kind","status","slot")
);
--> statement-breakpoint
CREATE TABLE "email_log" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"service_number" bigint,
	"request_id" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"recipient" text COLLATE "C",
	"subject" text COLLATE "C",
	"html" text COLLATE "C",
	"text" text COLLATE "C",
	"failure_reason" text COLLATE "C",
	"provider_code" text COLLATE "C",
	"provider_message_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"completed_at" bigint,
	"erased_at" bigint,
	"settled_at" bigint,
	"settled_note" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "firewall_rules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"rule" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"broker_id" text COLLATE "C" NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"namespace" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"status_code" bigint NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	CONSTRAINT "idempotency_records_broker_id_mode_namespace_key_pk" PRIMARY KEY("broker_id","mode","namespace","key")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"broker_id" text COLLATE "C" NOT NULL,
	"invoice_number" text COLLATE "C" NOT NULL,
	"service_number" bigint NOT NULL,
	"amount" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"issued_at" bigint NOT NULL,
	"due_at" bigint,
	"paid_at" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "invoices_broker_id_invoice_number_pk" PRIMARY KEY("broker_id","invoice_number")
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_folded" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"last_sign_in_at" bigint,
	CONSTRAINT "operators_emailFolded_unique" UNIQUE("email_folded")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"slug_folded" text COLLATE "C" NOT NULL,
	"display_name" text COLLATE "C" NOT NULL,
	"display_name_folded" text COLLATE "C" NOT NULL,
	"upgrade_rank" bigint NOT NULL,
	"billing_type" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"requires_operator_review" boolean NOT NULL,
	"description" text COLLATE "C",
	"vcpu" bigint,
	"memory_mb" bigint,
	"disk_gb" bigint,
	"transfer_gb" bigint,
	"price_amount" text COLLATE "C",
	"price_currency" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_recipients" (
	"broker_id" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_folded" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "report_recipients_broker_id_email_folded_pk" PRIMARY KEY("broker_id","email_folded")
);
--> statement-breakpoint
CREATE TABLE "request_history" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"service_number" bigint NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"submitted_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"processed_at" bigint,
	"decision_action" text COLLATE "C",
	"decided_by" text COLLATE "C",
	"decision_reason" text COLLATE "C",
	"decided_at" bigint,
	"failure_reason" text COLLATE "C",
	"failure_message" text COLLATE "C",
	"failure_service_usable" boolean,
	"failure_retryable" boolean,
	"warning_reason" text COLLATE "C",
	"current_plan_id" text COLLATE "C",
	"new_plan_id" text COLLATE "C",
	"effective_at" bigint,
	"cancellation_type" text COLLATE "C",
	"cancellation_reason" text COLLATE "C",
	"due_at" bigint,
	"lease_owner" text COLLATE "C",
	"attempts" bigint NOT NULL,
	"work_token" text COLLATE "C",
	"work_begun_at" bigint,
	"cleans_up" boolean,
	"action_name" text COLLATE "C",
	"action_display_name" text COLLATE "C",
	"action_configuration" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "sequences" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"next_value" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "services" (
	"number" bigint PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"plan_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C",
	"external_reference" text COLLATE "C",
	"client_name" text COLLATE "C" NOT NULL,
	"client_email" text COLLATE "C",
	"client_email_folded" text COLLATE "C",
	"search_text" text COLLATE "C" NOT NULL,
	"requires_operator_review" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"renewal_at" bigint,
	"cancelled_at" bigint,
	"cancellation_type" text COLLATE "C",
	"cancellation_effective_at" bigint,
	"cancellation_request_id" text COLLATE "C",
	"updated_at" bigint NOT NULL,
	"renewal_anchor" bigint,
	"suspended_by" text COLLATE "C",
	"suspension_reason" text COLLATE "C",
	"suspended_at" bigint,
	"import_id" text COLLATE "C",
	"configuration" text COLLATE "C",
	"access" text COLLATE "C",
	"reference" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "template_versions" (
	"broker_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"version" bigint NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"html" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"actor" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "template_versions_broker_id_kind_version_pk" PRIMARY KEY("broker_id","kind","version")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"broker_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"html" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "templates_broker_id_kind_pk" PRIMARY KEY("broker_id","kind")
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"stage" bigint NOT NULL,
	"from_at" bigint NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"gate" bigint NOT NULL,
	"calls" bigint NOT NULL,
	"d0" bigint NOT NULL,
	"d1" bigint NOT NULL,
	"d2" bigint NOT NULL,
	"d3" bigint NOT NULL,
	"d4" bigint NOT NULL,
	"d5" bigint NOT NULL,
	"d6" bigint NOT NULL,
	"d7" bigint NOT NULL,
	"d8" bigint NOT NULL,
	"d9" bigint NOT NULL,
	"d10" bigint NOT NULL,
	"d11" bigint NOT NULL,
	"d12" bigint NOT NULL,
	"d13" bigint NOT NULL,
	"d14" bigint NOT NULL,
	"d15" bigint NOT NULL,
	"d16" bigint NOT NULL,
	"d17" bigint NOT NULL,
	"d18" bigint NOT NULL,
	"d19" bigint NOT NULL,
	"d20" bigint NOT NULL,
	"d21" bigint NOT NULL,
	"d22" bigint NOT NULL,
	"d23" bigint NOT NULL,
	"d24" bigint NOT NULL,
	"d25" bigint NOT NULL,
	"d26" bigint NOT NULL,
	"d27" bigint NOT NULL,
	"busiest" bigint,
	CONSTRAINT "usage_stage_from_at_broker_id_key_id_operation_outcome_gate_pk" PRIMARY KEY("stage","from_at","broker_id","key_id","operation","outcome","gate")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_log" ADD CONSTRAINT "email_log_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_rules" ADD CONSTRAINT "firewall_rules_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_service_number_services_number_fk" FOREIGN KEY ("service_number") REFERENCES "public"."services"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_recipients" ADD CONSTRAINT "report_recipients_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_history" ADD CONSTRAINT "request_history_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_service_number_services_number_fk" FOREIGN KEY ("service_number") REFERENCES "public"."services"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_current_plan_id_plans_id_fk" FOREIGN KEY ("current_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_new_plan_id_plans_id_fk" FOREIGN KEY ("new_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_by_broker" ON "api_keys" USING btree ("broker_id","created_at");--> statement-breakpoint
CREATE INDEX "api_keys_newest" ON "api_keys" USING btree ("created_at","public_id");--> statement-breakpoint
CREATE INDEX "audit_trail_by_broker" ON "audit_trail" USING btree ("broker_id","id");--> statement-breakpoint
CREATE INDEX "audit_trail_by_actor" ON "audit_trail" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "audit_trail_by_subject" ON "audit_trail" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "calls_newest" ON "calls" USING btree ("at","request_id");--> statement-breakpoint
CREATE INDEX "calls_by_broker" ON "calls" USING btree ("broker_id","at");--> statement-breakpoint
CREATE INDEX "calls_by_key" ON "calls" USING btree ("key_id","at");--> statement-breakpoint
CREATE INDEX "calls_by_code" ON "calls" USING btree ("code","at") WHERE code is not null;--> statement-breakpoint
CREATE INDEX "console_links_by_operator" ON "console_links" USING btree ("operator_id","created_at");--> statement-breakpoint
CREATE INDEX "console_sessions_by_operator" ON "console_sessions" USING btree ("operator_id","created_at");--> statement-breakpoint
CREATE INDEX "email_log_newest" ON "email_log" USING btree ("broker_id","created_at","id");--> statement-breakpoint
CREATE INDEX "email_log_of_service" ON "email_log" USING btree ("broker_id","service_number","created_at");--> statement-breakpoint
CREATE INDEX "email_log_to_erase" ON "email_log" USING btree ("created_at") WHERE erased_at is null;--> statement-breakpoint
CREATE INDEX "email_log_undecided" ON "email_log" USING btree ("created_at") WHERE status in ('open', 'unknown');--> statement-breakpoint
CREATE UNIQUE INDEX "firewall_rules_once" ON "firewall_rules" USING btree ("broker_id","rule");--> statement-breakpoint
CREATE INDEX "idempotency_expiry" ON "idempotency_records" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "invoices_issued" ON "invoices" USING btree ("broker_id","issued_at","invoice_number");--> statement-breakpoint
CREATE INDEX "invoices_by_service" ON "invoices" USING btree ("broker_id","service_number","issued_at","invoice_number");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_slug_once" ON "plans" USING btree ("broker_id","slug_folded");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_display_name_once" ON "plans" USING btree ("broker_id","display_name_folded");--> statement-breakpoint
CREATE INDEX "plans_in_order" ON "plans" USING btree ("broker_id","upgrade_rank","id");--> statement-breakpoint
CREATE INDEX "request_history_in_order" ON "request_history" USING btree ("request_id","at","id");--> statement-breakpoint
CREATE INDEX "requests_newest" ON "requests" USING btree ("broker_id",submitted_at desc,"id");--> statement-breakpoint
CREATE INDEX "requests_by_status" ON "requests" USING btree ("broker_id","status",submitted_at desc,"id");--> statement-breakpoint
CREATE INDEX "requests_by_type" ON "requests" USING btree ("broker_id","type",submitted_at desc,"id");--> statement-breakpoint
CREATE INDEX "requests_by_service" ON "requests" USING btree ("broker_id","service_number",submitted_at desc,"id");--> statement-breakpoint
CREATE INDEX "requests_in_step" ON "requests" USING btree ("broker_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "requests_refused" ON "requests" USING btree ("id") WHERE status in ('failed', 'denied');--> statement-breakpoint
CREATE INDEX "requests_due" ON "requests" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "requests_open" ON "requests" USING btree ("service_number") WHERE status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_plan_change" ON "requests" USING btree ("service_number") WHERE type in ('plan-upgrade', 'plan-downgrade') and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_cancellation" ON "requests" USING btree ("service_number") WHERE type = 'cancellation' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_suspend" ON "requests" USING btree ("service_number") WHERE type = 'service-suspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_unsuspend" ON "requests" USING btree ("service_number") WHERE type = 'service-unsuspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_action" ON "requests" USING btree ("service_number") WHERE type = 'service-action' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE INDEX "services_newest" ON "services" USING btree ("broker_id","created_at","number");--> statement-breakpoint
CREATE INDEX "services_by_status" ON "services" USING btree ("broker_id","status","created_at","number");--> statement-breakpoint
CREATE INDEX "services_by_plan" ON "services" USING btree ("broker_id","plan_id","created_at","number");--> statement-breakpoint
CREATE INDEX "services_by_email" ON "services" USING btree ("broker_id","client_email_folded","created_at","number");--> statement-breakpoint
CREATE INDEX "services_by_renewal" ON "services" USING btree ("broker_id","renewal_at","created_at","number");--> statement-breakpoint
CREATE INDEX "services_by_reference" ON "services" USING btree ("broker_id","external_reference","created_at","number") WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX "services_by_update" ON "services" USING btree ("broker_id","updated_at","number");--> statement-breakpoint
CREATE INDEX "services_of_import" ON "services" USING btree ("broker_id","import_id","number") WHERE import_id is not null;--> statement-breakpoint
CREATE INDEX "services_to_renew" ON "services" USING btree ("renewal_at") WHERE renewal_at is not null and status in ('pending', 'active', 'suspended');--> statement-breakpoint
CREATE INDEX "usage_by_broker" ON "usage" USING btree ("broker_id","stage","from_at");--> statement-breakpoint
CREATE TABLE "consumption" (
	"service_number" bigint PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"measured_at" bigint NOT NULL,
	"period_from" bigint,
	"disk_gb_used" text COLLATE "C",
	"transfer_gb_used" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "plan_offers" (
	"plan_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"options" text COLLATE "C" NOT NULL,
	"actions" text COLLATE "C" NOT NULL,
	"has_credentials" boolean NOT NULL,
	"provisioning" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "operator_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"public_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"addresses" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"last_used_at" bigint,
	"last_used_ip" text COLLATE "C",
	CONSTRAINT "operator_keys_publicId_unique" UNIQUE("public_id")
);
--> statement-breakpoint
ALTER TABLE "consumption" ADD CONSTRAINT "consumption_service_number_services_number_fk" FOREIGN KEY ("service_number") REFERENCES "public"."services"("number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_offers" ADD CONSTRAINT "plan_offers_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consumption_by_number" ON "consumption" USING btree ("broker_id","service_number");--> statement-breakpoint
-- Written by hand from here on: what the generator does not know.
-- Substring search on services: an index of trigrams.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE INDEX services_search ON services USING gin (search_text gin_trgm_ops);--> statement-breakpoint
-- Keeps the audit trail as it was written.
CREATE FUNCTION audit_trail_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at <= extract(epoch FROM clock_timestamp()) * 1000 - 31536000000 THEN
      RETURN old;
    END IF;
    RAISE EXCEPTION 'the audit trail is kept for 365 days';
  END IF;
  RAISE EXCEPTION 'the audit trail is never changed';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_trail_kept_as_written BEFORE UPDATE OR DELETE ON audit_trail
  FOR EACH ROW EXECUTE FUNCTION audit_trail_stands();--> statement-breakpoint
CREATE TRIGGER audit_trail_never_emptied BEFORE TRUNCATE ON audit_trail
  FOR EACH STATEMENT EXECUTE FUNCTION audit_trail_stands();--> statement-breakpoint
-- For changes of a status that do not name who suspended the service.
CREATE FUNCTION services_keep_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.suspension_reason = NULL;
  IF new.status = 'suspended' THEN
    new.suspended_by = 'operator';
    new.suspended_at = CASE old.status WHEN 'suspended' THEN old.updated_at ELSE new.updated_at END;
  ELSE
    new.suspended_by = NULL;
    new.suspended_at = NULL;
  END IF;
  RETURN new;
END $$;--> statement-breakpoint
CREATE TRIGGER services_suspension BEFORE UPDATE ON services
  FOR EACH ROW WHEN ((new.status = 'suspended') = (new.suspended_at IS NULL)) EXECUTE FUNCTION services_keep_suspension();--> statement-breakpoint
-- What names this database, and the number of its first service.
INSERT INTO settings (name, value) VALUES ('sandbox_secret', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));--> statement-breakpoint
INSERT INTO sequences (name, next_value) VALUES ('service_number', 1000001);--> statement-breakpoint
-- The migrations of release 1.1 before it, without which a process of 1.1 does not know the database.
INSERT INTO schema_migrations (made_at, hash) VALUES (1795504106453, '1.1'), (1795604747687, '1.1'), (1795604748687, '1.1'), (1795637172314, '1.1'), (1795637172315, '1.1');
