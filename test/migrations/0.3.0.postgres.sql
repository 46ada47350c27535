-- The database of release 0.3.0 (commit fa2c8ab), with data in every table. Not to be changed.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';
CREATE FUNCTION public.audit_trail_stands() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at <= extract(epoch FROM clock_timestamp()) * 1000 - 31536000000
      OR EXISTS (SELECT 1 FROM settings WHERE name = 'copy_source') THEN
      RETURN old;
    END IF;
    RAISE EXCEPTION 'the audit trail is kept for 365 days';
  END IF;
  RAISE EXCEPTION 'the audit trail is never changed';
END $$;
CREATE FUNCTION public.requests_date_service() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	UPDATE services SET updated_at = NEW.submitted_at WHERE number = NEW.service_number AND updated_at < NEW.submitted_at;
	RETURN NULL;
END $$;
CREATE FUNCTION public.services_keep_suspension() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    broker_id text NOT NULL COLLATE pg_catalog."C",
    public_id text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    scopes text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    rate_limit bigint,
    expires_at bigint,
    created_at bigint NOT NULL,
    last_used_at bigint,
    last_used_ip text COLLATE pg_catalog."C",
    rotated_from_id text COLLATE pg_catalog."C"
);
CREATE TABLE public.audit_trail (
    id text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    client_ip text COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    broker_id text COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    before text COLLATE pg_catalog."C",
    after text COLLATE pg_catalog."C"
);
CREATE TABLE public.brokers (
    id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    contact_email text NOT NULL COLLATE pg_catalog."C",
    sender_email text NOT NULL COLLATE pg_catalog."C",
    ip_restriction_enabled boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    rate_limit bigint
);
CREATE TABLE public.calls (
    request_id text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    broker_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    client_ip text COLLATE pg_catalog."C",
    method text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    service_number bigint,
    status bigint NOT NULL,
    code text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    duration_us bigint NOT NULL
);
CREATE TABLE public.console_links (
    token_hash text NOT NULL COLLATE pg_catalog."C",
    operator_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.console_sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    token_hash text NOT NULL COLLATE pg_catalog."C",
    operator_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    ip text COLLATE pg_catalog."C",
    user_agent text COLLATE pg_catalog."C"
);
CREATE TABLE public.counters (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL,
    slot bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.email_log (
    id text NOT NULL COLLATE pg_catalog."C",
    broker_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    service_number bigint,
    request_id text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    recipient text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    html text COLLATE pg_catalog."C",
    text text COLLATE pg_catalog."C",
    failure_reason text COLLATE pg_catalog."C",
    provider_code text COLLATE pg_catalog."C",
    provider_message_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    completed_at bigint,
    erased_at bigint,
    settled_at bigint,
    settled_note text COLLATE pg_catalog."C"
);
CREATE TABLE public.firewall_rules (
    id text NOT NULL COLLATE pg_catalog."C",
    broker_id text NOT NULL COLLATE pg_catalog."C",
    rule text NOT NULL COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.idempotency_records (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    namespace text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    status_code bigint NOT NULL,
    body text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.invoices (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    invoice_number text NOT NULL COLLATE pg_catalog."C",
    service_number bigint NOT NULL,
    amount text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    issued_at bigint NOT NULL,
    due_at bigint,
    paid_at bigint,
    updated_at bigint NOT NULL
);
CREATE TABLE public.operators (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    email_folded text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    last_sign_in_at bigint
);
CREATE TABLE public.plans (
    id text NOT NULL COLLATE pg_catalog."C",
    broker_id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    slug_folded text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    display_name_folded text NOT NULL COLLATE pg_catalog."C",
    upgrade_rank bigint NOT NULL,
    billing_type text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL,
    requires_operator_review boolean NOT NULL,
    description text COLLATE pg_catalog."C",
    vcpu bigint,
    memory_mb bigint,
    disk_gb bigint,
    transfer_gb bigint,
    price_amount text COLLATE pg_catalog."C",
    price_currency text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.report_recipients (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    email_folded text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.request_history (
    id text NOT NULL COLLATE pg_catalog."C",
    broker_id text NOT NULL COLLATE pg_catalog."C",
    request_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C"
);
CREATE TABLE public.requests (
    id text NOT NULL COLLATE pg_catalog."C",
    broker_id text NOT NULL COLLATE pg_catalog."C",
    service_number bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    submitted_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    processed_at bigint,
    decision_action text COLLATE pg_catalog."C",
    decided_by text COLLATE pg_catalog."C",
    decision_reason text COLLATE pg_catalog."C",
    decided_at bigint,
    failure_reason text COLLATE pg_catalog."C",
    failure_message text COLLATE pg_catalog."C",
    failure_service_usable boolean,
    failure_retryable boolean,
    warning_reason text COLLATE pg_catalog."C",
    current_plan_id text COLLATE pg_catalog."C",
    new_plan_id text COLLATE pg_catalog."C",
    effective_at bigint,
    cancellation_type text COLLATE pg_catalog."C",
    cancellation_reason text COLLATE pg_catalog."C",
    due_at bigint,
    lease_owner text COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    work_token text COLLATE pg_catalog."C",
    work_begun_at bigint
);
CREATE TABLE public.schema_migrations (
    made_at bigint NOT NULL,
    hash text
);
CREATE TABLE public.sequences (
    name text NOT NULL COLLATE pg_catalog."C",
    next_value bigint NOT NULL
);
CREATE TABLE public.services (
    number bigint NOT NULL,
    broker_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    plan_id text NOT NULL COLLATE pg_catalog."C",
    label text COLLATE pg_catalog."C",
    external_reference text COLLATE pg_catalog."C",
    client_name text NOT NULL COLLATE pg_catalog."C",
    client_email text COLLATE pg_catalog."C",
    client_email_folded text COLLATE pg_catalog."C",
    search_text text NOT NULL COLLATE pg_catalog."C",
    requires_operator_review boolean NOT NULL,
    created_at bigint NOT NULL,
    renewal_at bigint,
    cancelled_at bigint,
    cancellation_type text COLLATE pg_catalog."C",
    cancellation_effective_at bigint,
    cancellation_request_id text COLLATE pg_catalog."C",
    updated_at bigint NOT NULL,
    renewal_anchor bigint,
    suspended_by text COLLATE pg_catalog."C",
    suspension_reason text COLLATE pg_catalog."C",
    suspended_at bigint,
    import_id text COLLATE pg_catalog."C"
);
CREATE TABLE public.settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.template_versions (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    html text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    actor text COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.templates (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    html text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.usage (
    stage bigint NOT NULL,
    from_at bigint NOT NULL,
    broker_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    gate bigint NOT NULL,
    calls bigint NOT NULL,
    d0 bigint NOT NULL,
    d1 bigint NOT NULL,
    d2 bigint NOT NULL,
    d3 bigint NOT NULL,
    d4 bigint NOT NULL,
    d5 bigint NOT NULL,
    d6 bigint NOT NULL,
    d7 bigint NOT NULL,
    d8 bigint NOT NULL,
    d9 bigint NOT NULL,
    d10 bigint NOT NULL,
    d11 bigint NOT NULL,
    d12 bigint NOT NULL,
    d13 bigint NOT NULL,
    d14 bigint NOT NULL,
    d15 bigint NOT NULL,
    d16 bigint NOT NULL,
    d17 bigint NOT NULL,
    d18 bigint NOT NULL,
    d19 bigint NOT NULL,
    d20 bigint NOT NULL,
    d21 bigint NOT NULL,
    d22 bigint NOT NULL,
    d23 bigint NOT NULL,
    d24 bigint NOT NULL,
    d25 bigint NOT NULL,
    d26 bigint NOT NULL,
    d27 bigint NOT NULL,
    busiest bigint
);
INSERT INTO public.api_keys VALUES ('key_01KF0RDQG0SCCHGYHHAN565JYX', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoLive', '511a8663f538f75387f41a2b8f61dfe88124b4a1578ce73fc1652254cadd8c2e', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1760702400000, 1768478392500, '192.0.2.10', NULL);
INSERT INTO public.api_keys VALUES ('key_01KF0RDQG0SCCHGYHHAN565JYY', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoTest', '10fa0edce9844dbbc50a1cf9aa5e56fcfc55e9d7f75a80f1512f9749ec4c4324', 'test', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1760702400000, 1768478370000, '192.0.2.11', NULL);
INSERT INTO public.api_keys VALUES ('key_01KF0RDQG0SCCHGYHHAN565JYZ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoNone', '16d6ee9f32dff4cb12c6f28c8e7ad0c86bcec82baf1fa4bc08bb42f887d0d006', 'test', 'Demo key (no scopes)', '[]', 'active', NULL, NULL, 1760702400000, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01KF0RDQG0SCCHGYHHAN565JZ0', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoPast', '81bee996f2f89e8d8f92f2dda712121bbecc1f78c5091ca245740e40a9f371d3', 'test', 'Demo key (expired)', '["admin:full"]', 'active', NULL, 1768392000000, 1760702400000, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01KF0RDQG0SCCHGYHHAN565JZ1', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'DemoGone', '69dc37ce761d45d0d4f2302d245b9a7854ce8994443a2d665d0fa211a9c2491b', 'test', 'Demo key (revoked)', '["admin:full"]', 'revoked', NULL, NULL, 1760702400000, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01KF0RDQG0SCCHGYHHAN565JZ9', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'DemoOthr', '0f73e9b381fc50e8ac10b2fe6e77340215a5257145517c4a8256af6e3717aaef', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1760702400000, 1768478398571, '203.0.113.20', NULL);
INSERT INTO public.audit_trail VALUES ('aud_01KEXHDTR0HJS62DGPRPXM1RDZ', 1768370400000, 'operator', 'operator@example.com', '127.0.0.1', 'plan.set', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan/classic', '{"active":true}', '{"active":false}');
INSERT INTO public.audit_trail VALUES ('aud_01KEY9EW40RM7M1XWRNGJJSZ4Y', 1768395600000, 'operator', 'operator@example.com', '127.0.0.1', 'firewall.allow', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'broker/demo-other', NULL, '{"rule":"203.0.113.0/24","note":"Shop servers"}');
INSERT INTO public.audit_trail VALUES ('aud_01KEZJN7M0QZ6MQ3YJCX3F11EG', 1768438800000, 'operator', 'operator@example.com', '127.0.0.1', 'service.set', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service/1000025', '{"requires_operator_review":false}', '{"requires_operator_review":true}');
INSERT INTO public.audit_trail VALUES ('aud_01KF03THR0WRF7SBG7BZX64A3N', 1768456800000, 'operator', 'operator@example.com', '127.0.0.1', 'email.settle', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'email/eml_01KEYSFJC0EM67R5QYDYQ8G89B', '{"email_status":"unknown"}', '{"email_status":"sent"}');
INSERT INTO public.brokers VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'demo', 'Demo Hosting', 'active', 'office@demo-hosting.example.com', 'support@demo-hosting.example.com', false, 1630238400000, 1768478400000, NULL);
INSERT INTO public.brokers VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'demo-other', 'Other Hosting', 'active', 'office@other-hosting.example.net', 'support@other-hosting.example.net', false, 1630238400000, 1768395600000, NULL);
INSERT INTO public.calls VALUES ('SxlZMApx3iF3-1', 1768305738461, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO public.calls VALUES ('SxlZMApx3iF3-2', 1768306015384, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO public.calls VALUES ('SxlZMApx3iF3-3', 1768306292307, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO public.calls VALUES ('SxlZMApx3iF3-4', 1768306569230, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', '192.0.2.10', 'GET', 'getService', 1009999, 404, 'not_found', NULL, 900);
INSERT INTO public.console_links VALUES ('link', 'opr_01KF0RDQG0SCCHGYHHAN565JZA', 1768478400000, 1768479300000);
INSERT INTO public.console_sessions VALUES ('ses_1', 'session', 'opr_01KF0RDQG0SCCHGYHHAN565JZA', 1768478400000, 1768478400000, 1768479300000, NULL, NULL);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation', 'accepted', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation', 'completed', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation', 'pending', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'cancellation-warning', 'approved', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-downgrade', 'accepted', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-downgrade', 'operator_review', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'completed', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'denied', 2, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'failed', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'operator_review', 2, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'plan-upgrade', 'pending', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'service-creation', 'completed', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'service-suspension', 'completed', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'requests', 'service-unsuspension', 'completed', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'active', 8, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'cancelled', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'suspended', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'terminated', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY7', 'active', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'active', 3, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'cancelled', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'pending', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'active', 3, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'active', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'pending', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'suspended', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'active', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'terminated', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'active', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'cancelled', 1, 0);
INSERT INTO public.counters VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'services', 'pln_01KF0RDQG0SCCHGYHHAN565JZ3', 'active', 1, 0);
INSERT INTO public.email_log VALUES ('eml_01KEXZ5980HH8Q5HY56298WTCK', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1000022, NULL, 'sent', 'client-1000022@example.com', 'Your service 1000022 has a new plan', '<!doctype html><p>Your service 1000022 has a new plan.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000022 has a new plan.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000022', 1768384800000, 1768384800400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KEYCWQR0R09NNNYXJP3S6PKH', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000001, NULL, 'sent', 'client-1000001@example.com', 'Your service 1000001 is at risk of cancellation', '<!doctype html><p>Your service 1000001 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000001 is at risk of cancellation.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000001', 1768399200000, 1768399200400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KEYKRF008MZ6T9EGH4JSJC4A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 1000024, NULL, 'sent', 'client-1000024@example.com', 'Your new service 1000024 is ready', '<!doctype html><p>Your new service 1000024 is ready.</p><p>This email is part of the demo; it was not sent.</p>', 'Your new service 1000024 is ready.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000024', 1768406400000, 1768406400400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KEYSFJC0EM67R5QYDYQ8G89B', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000024, NULL, 'sent', 'client-1000024@example.com', 'Your service 1000024 is at risk of cancellation', '<!doctype html><p>Your service 1000024 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000024 is at risk of cancellation.
This email is part of the demo; it was not sent.
', NULL, NULL, NULL, 1768412400000, NULL, NULL, 1768456800000, 'The client has answered it.');
INSERT INTO public.email_log VALUES ('eml_01KEYY21W0JQX1VNQ9A0XWZP0S', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000004, NULL, 'sent', 'client-1000004@example.com', 'Your service 1000004 is at risk of cancellation', '<!doctype html><p>Your service 1000004 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000004 is at risk of cancellation.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000004', 1768417200000, 1768417200400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KEZBSGC0W8C4QMB341CWVHX0', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1000003, NULL, 'sent', 'client-1000003@example.com', 'Your service 1000003 has a new plan', '<!doctype html><p>Your service 1000003 has a new plan.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000003 has a new plan.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000003', 1768431600000, 1768431600400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KEZSGYW0Z1VZVNV30AGNK6RD', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000023, NULL, 'failed', 'client-1000023@example.com', 'Your service 1000023 is at risk of cancellation', '<!doctype html><p>Your service 1000023 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000023 is at risk of cancellation.
This email is part of the demo; it was not sent.
', 'rejected', '406', NULL, 1768446000000, 1768446000400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF00CP40YACFE8C7P3GTP7C8', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000002, NULL, 'sent', 'client-1000002@example.com', 'Your service 1000002 is at risk of cancellation', '<!doctype html><p>Your service 1000002 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000002 is at risk of cancellation.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000002', 1768453200000, 1768453200400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF078DC0CRCM501GGE8GEQZ6', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1000025, NULL, 'sent', 'client-1000025@example.com', 'Your service 1000025 has a new plan', '<!doctype html><p>Your service 1000025 has a new plan.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000025 has a new plan.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000025', 1768460400000, 1768460400400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF0DTZN0P4XA6BB3FE27BETR', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000009, NULL, 'unknown', 'client-1000009@example.com', 'Your service 1000009 is at risk of cancellation', '<!doctype html><p>Your service 1000009 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000009 is at risk of cancellation.
This email is part of the demo; it was not sent.
', 'outcome_unknown', NULL, NULL, 1768467300000, NULL, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF0FV2E0XFDW5WZ7FXRN0W8M', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 1000011, NULL, 'sent', 'client-1000011@example.com', 'Your new service 1000011 is ready', '<!doctype html><p>Your new service 1000011 is ready.</p><p>This email is part of the demo; it was not sent.</p>', 'Your new service 1000011 is ready.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000011', 1768469400000, 1768469400400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF0JZS30Z7SBNJ6K8K5Y4JE3', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000018, NULL, 'failed', 'client-1000018@example.com', 'Your service 1000018 is at risk of cancellation', '<!doctype html><p>Your service 1000018 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000018 is at risk of cancellation.
This email is part of the demo; it was not sent.
', 'unreachable', NULL, NULL, 1768472700000, 1768472700400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF0P4FR0E6V1FGYF46TFXTB1', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000017, NULL, 'unknown', 'client-1000017@example.com', 'Your service 1000017 is at risk of cancellation', '<!doctype html><p>Your service 1000017 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000017 is at risk of cancellation.
This email is part of the demo; it was not sent.
', 'outcome_unknown', NULL, NULL, 1768476000000, NULL, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF0QQRC05PP7K8G6JBDAPMSF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1000021, NULL, 'sent', 'client-1000021@example.com', 'Your service 1000021 is at risk of cancellation', '<!doctype html><p>Your service 1000021 is at risk of cancellation.</p><p>This email is part of the demo; it was not sent.</p>', 'Your service 1000021 is at risk of cancellation.
This email is part of the demo; it was not sent.
', NULL, NULL, 'demo-1000021', 1768477680000, 1768477680400, NULL, NULL, NULL);
INSERT INTO public.email_log VALUES ('eml_01KF0RDQG0SCCHGYHHAN565JZG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'template-test', NULL, NULL, 'sent', 'ada@example.com', 'Your new service 1000001 is ready', '<!doctype html>
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
INSERT INTO public.firewall_rules VALUES ('fwr_01KEY9EW40RBG5Q4ARXQVZAA2J', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', '203.0.113.0/24', 'Shop servers', 1768395600000);
INSERT INTO public.firewall_rules VALUES ('fwr_01KF0RDQG0SCCHGYHHAN565JZE', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', '192.0.2.0/24', 'office', 1768478400000);
INSERT INTO public.idempotency_records VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'live', 'action', 'fixture', 'f', 200, '{"success":true,"data":{}}', 1768478400000, 1768564800000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2001', 1000001, '6.00', 'EUR', 'paid', 1761696000000, 1762905600000, 1762387200000, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2002', 1000001, '6.00', 'EUR', 'paid', 1764288000000, 1765497600000, 1764979200000, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2003', 1000001, '6.00', 'EUR', 'open', 1766880000000, 1768089600000, NULL, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2004', 1000002, '18.00', 'EUR', 'paid', 1764892800000, 1766102400000, 1764892800000, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2005', 1000002, '18.00', 'EUR', 'open', 1767484800000, 1768694400000, NULL, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2006', 1000003, '36.00', 'EUR', 'paid', 1766188800000, 1767398400000, 1767312000000, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2007', 1000005, '7.94', 'EUR', 'open', 1767657600000, 1768867200000, NULL, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2008', 1000006, '44.53', 'EUR', 'void', 1767657600000, 1768867200000, NULL, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2009', 1000013, '6.00', 'EUR', 'open', 1764115200000, 1765324800000, NULL, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'D-2010', 1000022, '18.00', 'EUR', 'paid', 1766361600000, 1767571200000, 1766707200000, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'O-1', 1000101, '4.90', 'USD', 'paid', 1765756800000, 1766966400000, 1765843200000, 1768478400000);
INSERT INTO public.invoices VALUES ('brk_01FE8WFQG0WGH7S420VZS1QDW7', 'O-2', 1000102, '14.90', 'USD', 'open', 1767916800000, 1769126400000, NULL, 1768478400000);
INSERT INTO public.operators VALUES ('opr_01KF0RDQG0SCCHGYHHAN565JZA', 'operator@example.com', 'operator@example.com', 'Demo operator', 'admin', true, 1768478400000, 1768478400000, NULL);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY6', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'starter', 'starter', 'Starter', 'starter', 10, 'monthly', true, false, 'A small server for a first site.', 1, 2048, 40, 1000, '6.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY7', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'classic', 'classic', 'Classic (2019)', 'classic (2019)', 15, 'monthly', false, false, 'No longer sold; a few clients still have it.', 1, 4096, 60, 1000, '9.00', 'EUR', 1768478400000, 1768478400001);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY8', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'business', 'business', 'Business', 'business', 20, 'monthly', true, false, 'Room for a shop and its database.', 2, 8192, 120, 3000, '18.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JY9', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'performance', 'performance', 'Performance', 'performance', 30, 'monthly', true, false, 'For sites that many people visit at once.', 4, 16384, 240, 6000, '36.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JYA', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'dedicated', 'dedicated', 'Dedicated Server', 'dedicated server', 40, 'monthly', true, true, 'A machine of its own, made ready by hand.', 16, 65536, 960, 20000, '129.00', 'EUR', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JYB', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'flex-small', 'flex-small', 'Flex Small', 'flex small', 10, 'hourly', true, false, 'Billed by the hour.', 1, 2048, 40, 1000, '0.012', 'EUR', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JYC', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'flex-large', 'flex-large', 'Flex Large', 'flex large', 20, 'hourly', true, false, 'Billed by the hour.', 4, 16384, 160, 4000, '0.061', 'EUR', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'basic', 'basic', 'Basic', 'basic', 1, 'monthly', true, false, NULL, 1, 1024, 20, 500, '4.90', 'USD', 1768478400000, 1768478400000);
INSERT INTO public.plans VALUES ('pln_01KF0RDQG0SCCHGYHHAN565JZ3', 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'plus', 'plus', 'Plus', 'plus', 2, 'monthly', true, false, NULL, 2, 4096, 80, 2000, '14.90', 'USD', 1768478400000, 1768478400000);
INSERT INTO public.report_recipients VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'accounts@demo-hosting.example.com', 'accounts@demo-hosting.example.com', 1768478400000);
INSERT INTO public.request_history VALUES ('evt_01KCKGG5G0B9ATPMTFZ9YSJDWV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KCKGG5G0AAG9JP4TMN5CC8XM', 'accepted', 1765886400000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KCKGJ03036MPV0K8T1PZD6VB', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KCKGG5G0AAG9JP4TMN5CC8XM', 'completed', 1765886460000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01KDD8FBG0P8EAH6S751YV83TJ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KDD8FBG0X1ZHJDMRAHA2CV4A', 'accepted', 1766750400000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KDD8H630Z0SV5F490590ABT2', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KDD8FBG0X1ZHJDMRAHA2CV4A', 'completed', 1766750460000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01KE1VN3G03QS7VPFY3QEPXCYH', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE1VN3G0GND4QX86FV83Y6RG', 'accepted', 1767441600000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KE1VPY308N2EY71CD1GTZB26', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE1VN3G0GND4QX86FV83Y6RG', 'completed', 1767441660000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01KE70EHG00NC0BMKTP4P9FEYD', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE70EHG0ZWQT3HFWDHVB0WPP', 'accepted', 1767614400000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KE70GC30NAD1AGYG7G66PNB4', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE70EHG0ZWQT3HFWDHVB0WPP', 'completed', 1767614460000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01KE9JV8G0WZCZSP6Y0M9B2YTG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE9JV8G0D8PV2D7YVJPPNG4T', 'operator_review', 1767700800000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEC57ZG05W165Z2F2GMDQYT9', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEC57ZG0H5SE1411KE9GVDJC', 'pending', 1767787200000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEEQMPG06XCFDPFSNQ28WWFF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEC57ZG0H5SE1411KE9GVDJC', 'denied', 1767873600000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEEQMPG0SG98VT8YBQAZ1Y6Y', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KE9JV8G0D8PV2D7YVJPPNG4T', 'denied', 1767873600000, 'operator', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEHA1DG0JGXV2KHD3PXSHXN8', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEHA1DG07R2BSCH63ARVC8XP', 'accepted', 1767960000000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEHA3830NYCME6WD2VYG0ZN6', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEHA1DG07R2BSCH63ARVC8XP', 'failed', 1767960060000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEKWE4G0Q65BNM6T4MNPDMTD', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEKWE4G0CTDK8RFQVJE653KF', 'pending', 1768046400000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEPETVG02YS403CXSS659HBQ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEKWE4G0CTDK8RFQVJE653KF', 'accepted', 1768132800000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEPETVG04MEMZCVBCBJDGF6X', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEPETVG0EBRGHJ8A6CFTK8GF', 'operator_review', 1768132800000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KES17JG018MKB4Q1BBG0E0PH', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEPETVG0EBRGHJ8A6CFTK8GF', 'accepted', 1768219200000, 'operator', NULL);
INSERT INTO public.request_history VALUES ('evt_01KES17JG0476PAPK07NYAS3RV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KES17JG0TMGVQN24ZEKX43AG', 'approved', 1768219200000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEVKM9G0NHB2G4GBG8K81JG5', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEVKM9G0BHKJNAHVRSC44FAV', 'pending', 1768305600000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEVKM9G0WBQX7S63FFSZCT71', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEVKM9G0C2ZYA71R225E54BQ', 'accepted', 1768305600000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEVKP430XESVEPJ9GNVCB5K1', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEVKM9G0C2ZYA71R225E54BQ', 'completed', 1768305660000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEY610G0P1RG16C8AQ44SE62', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEY610G072RXTW99GCV94N0A', 'pending', 1768392000000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01KEY610G0YA7392WQ9QF6F35D', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KEY610G0V6GVP1T03SBVM8EV', 'operator_review', 1768392000000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KF07YCG0402P4PY2C651Q3NV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KF07YCG0BF51HB9XPMY8B0B3', 'operator_review', 1768461120000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01KF0M9WR0N9YYRWKTDJ59SM0A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'req_01KF0M9WR0NW9CA56EAGZBWC5P', 'operator_review', 1768474080000, 'broker', NULL);
INSERT INTO public.requests VALUES ('req_01KCKGG5G0AAG9JP4TMN5CC8XM', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000013, 'cancellation', 'completed', 'broker', 1765886400000, 1765886460000, 1765886460000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1765886400000, 'immediate', NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KDD8FBG0X1ZHJDMRAHA2CV4A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000022, 'plan-upgrade', 'completed', 'broker', 1766750400000, 1766750460000, 1766750460000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 1766750400000, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KE1VN3G0GND4QX86FV83Y6RG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000002, 'service-unsuspension', 'completed', 'broker', 1767441600000, 1767441660000, 1767441660000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767441600000, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KE70EHG0ZWQT3HFWDHVB0WPP', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000024, 'service-creation', 'completed', 'broker', 1767614400000, 1767614460000, 1767614460000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KE9JV8G0D8PV2D7YVJPPNG4T', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000025, 'plan-upgrade', 'denied', 'broker', 1767700800000, 1767873600000, 1767873600000, 'deny', 'operator', 'The migration is planned for next month.', 1767873600000, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEC57ZG0H5SE1411KE9GVDJC', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000002, 'plan-upgrade', 'denied', 'client', 1767787200000, 1767873600000, 1767873600000, 'deny', 'broker', 'Please settle the open invoice first.', 1767873600000, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEHA1DG07R2BSCH63ARVC8XP', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000023, 'plan-upgrade', 'failed', 'broker', 1767960000000, 1767960060000, 1767960060000, NULL, NULL, NULL, NULL, 'provisioning_failed', 'No host had room for the larger plan', true, true, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 1767960000000, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEKWE4G0CTDK8RFQVJE653KF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000021, 'cancellation', 'accepted', 'client', 1768046400000, 1768132800000, NULL, 'approve', 'broker', NULL, 1768132800000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1769644800000, 'end_of_term', 'We are moving in with another team.', 1769644800000, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEPETVG0EBRGHJ8A6CFTK8GF', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000020, 'plan-downgrade', 'accepted', 'broker', 1768132800000, 1768219200000, NULL, 'accept', 'operator', NULL, 1768219200000, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 1769990400000, NULL, NULL, 1769990400000, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KES17JG0TMGVQN24ZEKX43AG', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000009, 'cancellation-warning', 'approved', 'broker', 1768219200000, 1768219200000, 1768219200000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Two invoices are overdue.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEVKM9G0BHKJNAHVRSC44FAV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000018, 'cancellation', 'pending', 'client', 1768305600000, 1768305600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'end_of_term', 'The project has ended.', NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEVKM9G0C2ZYA71R225E54BQ', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000010, 'service-suspension', 'completed', 'broker', 1768305600000, 1768305660000, 1768305660000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1768305600000, NULL, 'Two invoices are overdue.', NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEY610G072RXTW99GCV94N0A', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000017, 'plan-upgrade', 'pending', 'client', 1768392000000, 1768392000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KEY610G0V6GVP1T03SBVM8EV', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000019, 'plan-upgrade', 'operator_review', 'broker', 1768392000000, 1768392000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'pln_01KF0RDQG0SCCHGYHHAN565JYA', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KF07YCG0BF51HB9XPMY8B0B3', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000025, 'plan-upgrade', 'operator_review', 'broker', 1768461120000, 1768461120000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.requests VALUES ('req_01KF0M9WR0NW9CA56EAGZBWC5P', 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 1000003, 'plan-downgrade', 'operator_review', 'broker', 1768474080000, 1768474080000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.schema_migrations VALUES (1795192323482, 'c3fdc239a44ee9100c38f230ab22e84d3e569037623edb39e2248626d2919f19');
INSERT INTO public.schema_migrations VALUES (1795192324261, '6a87ae2cc951ec6a507c080d35624a19221e419cc572c5001d96cf5d05c556df');
INSERT INTO public.schema_migrations VALUES (1795272473543, '02bb35c96b6d571c2910673b5a2a5b705c4bd04f7aed0daf4a1591ae161a0018');
INSERT INTO public.schema_migrations VALUES (1795276124872, '152107009ac6e85e6288ad51775e2e4afff0b0716866b6143e843860f9d28c4e');
INSERT INTO public.schema_migrations VALUES (1795276728426, '69703a8bfc7e11e433929ae2db3c2b20a2e01d3bb40171c8b52cd6f8b949dfbf');
INSERT INTO public.schema_migrations VALUES (1795276736660, '10c94dba0f0103356d1dbee1818e9f9773f43a467805a822333f099b79687e2d');
INSERT INTO public.schema_migrations VALUES (1795277078813, '5e73efb909e23d9a860362a997f00be0505db2938fae10a07e6228ef1da48f97');
INSERT INTO public.schema_migrations VALUES (1795278636319, 'b3b7ac5d1c2906b0ef3f751fcf7c0e632e9d03b469b94f305ebd01bc6665766b');
INSERT INTO public.schema_migrations VALUES (1795279710595, 'c2cfa9e17e382014909d26c64f01c13b3695058831ebdda7e471772b9284de70');
INSERT INTO public.schema_migrations VALUES (1795283668463, '85fbebd60fc2d5f6b02b356387eb61e32b194d7511c6717c613dc3d2c7e65527');
INSERT INTO public.schema_migrations VALUES (1795382973664, '2e51e88852e84a7a2cd15a2f35143158854a19c8075246c3045f3c39f7164259');
INSERT INTO public.schema_migrations VALUES (1795413299439, 'ad55bfd3e7ddc28e6babf6317bb9f4b9b4744a516f0b0161aa03dbf9612ab78f');
INSERT INTO public.schema_migrations VALUES (1795415535917, 'a2c4326eb2d4129b3d483e595dca1d07f7eba2e7ef6912f70ee54bc4665cba5c');
INSERT INTO public.schema_migrations VALUES (1795417125835, 'c6e0168190024cf019c63f69b91953e819e7b13167e0c2727f6e1942220d4023');
INSERT INTO public.schema_migrations VALUES (1795427900000, 'f291f57bc36e35c67128194dd84fbea3e20ad4acc22e898084d0831a477fa7e6');
INSERT INTO public.schema_migrations VALUES (1795431640000, '8a57be739974e2ac432428b3682c174c17d73b7e471cdac718ec11e4f5c6f386');
INSERT INTO public.schema_migrations VALUES (1795431641000, 'c650abaa5f402ef1c76f85878b14a77c11486b1ecbc13d3eb5e85c1f488d0433');
INSERT INTO public.schema_migrations VALUES (1795431642000, 'e13c24f1140d60b9f2d84512e162ed312721594881e2d322ab24d16dae338c80');
INSERT INTO public.schema_migrations VALUES (1795459147673, '8aded77d91223a148f6dbeca10e6696cfb3e6856c50dfb346cb26c0541c13c20');
INSERT INTO public.schema_migrations VALUES (1795460188599, '5da3de949c1dd1abed3f7f3914dffe2244785fffaed936463ea9182f530bb56a');
INSERT INTO public.sequences VALUES ('service_number', 1000001);
INSERT INTO public.services VALUES (1000001, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'shop.example.com', 'C-1000001', 'Ada Example', 'client-1000001@example.com', 'client-1000001@example.com', 'shop.example.comZada exampleZc-1000001', false, 1733875200000, 1769472000000, NULL, NULL, NULL, NULL, 1768478400000, 2246400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000002, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'blog.example.com', 'C-1000002', 'Ben Sample', 'client-1000002@example.com', 'client-1000002@example.com', 'blog.example.comZben sampleZc-1000002', false, 1740787200000, 1770163200000, NULL, NULL, NULL, NULL, 1768478400003, 259200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000003, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'team.example.com', 'C-1000003', 'Clara Muster', 'client-1000003@example.com', 'client-1000003@example.com', 'team.example.comZclara musterZc-1000003', false, 1742515200000, 1768867200000, NULL, NULL, NULL, NULL, 1768478400001, 1641600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000004, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY7', 'archive.example.com', 'C-1000004', 'Dan Ejemplo', 'client-1000004@example.com', 'client-1000004@example.com', 'archive.example.comZdan ejemploZc-1000004', false, 1638835200000, 1770854400000, NULL, NULL, NULL, NULL, 1768478400000, 950400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000005, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'render-1', 'C-1000005', 'Eva Esempio', 'client-1000005@example.com', 'client-1000005@example.com', 'render-1Zeva esempioZc-1000005', false, 1764979200000, NULL, NULL, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000006, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'render-2', 'C-1000006', 'Eva Esempio', 'client-1000006@example.com', 'client-1000006@example.com', 'render-2Zeva esempioZc-1000006', false, 1765152000000, NULL, NULL, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000007, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'noaddress.example.com', 'C-1000007', 'Finn Exemple', NULL, NULL, 'noaddress.example.comZfinn exempleZc-1000007', false, 1751155200000, 1769212800000, NULL, NULL, NULL, NULL, 1768478400000, 1987200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000008, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'badaddress.example.com', 'C-1000008', 'Greta Voorbeeld', 'greta at home', 'greta at home', 'badaddress.example.comZgreta voorbeeldZc-1000008', false, 1752019200000, 1769212800000, NULL, NULL, NULL, NULL, 1768478400000, 1987200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000009, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspended', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'paused.example.com', 'C-1000009', 'Hal Example', 'client-1000009@example.com', 'client-1000009@example.com', 'paused.example.comZhal exampleZc-1000009', false, 1752883200000, 1768694400000, NULL, NULL, NULL, NULL, 1768478400000, 1468800000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000010, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspended', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', 'render-3', 'C-1000010', 'Ida Przykład', 'client-1000010@example.com', 'client-1000010@example.com', 'render-3Zida przykładZc-1000010', false, 1766275200000, NULL, NULL, NULL, NULL, NULL, 1768478400001, NULL, 'broker', 'Two invoices are overdue.', 1768305660000, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000011, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'pending', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'new.example.com', 'C-1000011', 'Jon Dæmi', 'client-1000011@example.com', 'client-1000011@example.com', 'new.example.comZjon dæmiZc-1000011', false, 1768348800000, 1771027200000, NULL, NULL, NULL, NULL, 1768478400000, 1123200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000012, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'pending', 'pln_01KF0RDQG0SCCHGYHHAN565JYB', NULL, 'C-1000012', 'Kim Örnek', 'client-1000012@example.com', 'client-1000012@example.com', 'kim örnekZc-1000012', false, 1768348800000, NULL, NULL, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000013, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancelled', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'gone.example.com', 'C-1000013', 'Lea Beispiel', 'client-1000013@example.com', 'client-1000013@example.com', 'gone.example.comZlea beispielZc-1000013', false, 1707955200000, NULL, 1765843200000, 'immediate', 1765886400000, 'req_01KCKGG5G0AAG9JP4TMN5CC8XM', 1768478400001, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000014, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancelled', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'left.example.com', 'C-1000014', 'Max Beispiel', 'client-1000014@example.com', 'client-1000014@example.com', 'left.example.comZmax beispielZc-1000014', false, 1712275200000, NULL, 1760659200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000015, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'terminated', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'ended.example.com', 'C-1000015', 'Nia Enghraifft', 'client-1000015@example.com', 'client-1000015@example.com', 'ended.example.comZnia enghraifftZc-1000015', false, 1690675200000, NULL, 1751155200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000016, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'terminated', 'pln_01KF0RDQG0SCCHGYHHAN565JYC', 'render-4', 'C-1000016', 'Olu Apẹẹrẹ', 'client-1000016@example.com', 'client-1000016@example.com', 'render-4Zolu apẹẹrẹZc-1000016', false, 1758931200000, NULL, 1763251200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000017, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'wants-more.example.com', 'C-1000017', 'Pia Exempel', 'client-1000017@example.com', 'client-1000017@example.com', 'wants-more.example.comZpia exempelZc-1000017', false, 1755475200000, 1769817600000, NULL, NULL, NULL, NULL, 1768478400001, 2592000000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000018, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'wants-out.example.com', 'C-1000018', 'Quinn Example', 'client-1000018@example.com', 'client-1000018@example.com', 'wants-out.example.comZquinn exampleZc-1000018', false, 1756339200000, 1770336000000, NULL, NULL, NULL, NULL, 1768478400001, 432000000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000019, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'review.example.com', 'C-1000019', 'Rosa Ejemplo', 'client-1000019@example.com', 'client-1000019@example.com', 'review.example.comZrosa ejemploZc-1000019', false, 1757203200000, 1770595200000, NULL, NULL, NULL, NULL, 1768478400001, 691200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000020, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY9', 'smaller-soon.example.com', 'C-1000020', 'Sven Eksempel', 'client-1000020@example.com', 'client-1000020@example.com', 'smaller-soon.example.comZsven eksempelZc-1000020', false, 1758067200000, 1769990400000, NULL, NULL, NULL, NULL, 1768478400002, 86400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000021, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'leaving.example.com', 'C-1000021', 'Tara Udaharan', 'client-1000021@example.com', 'client-1000021@example.com', 'leaving.example.comZtara udaharanZc-1000021', false, 1758499200000, 1769644800000, NULL, 'end_of_term', 1769644800000, 'req_01KEKWE4G0CTDK8RFQVJE653KF', 1768478400002, 2419200000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000022, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY8', 'grown.example.com', 'C-1000022', 'Udo Beispiel', 'client-1000022@example.com', 'client-1000022@example.com', 'grown.example.comZudo beispielZc-1000022', false, 1759795200000, 1769040000000, NULL, NULL, NULL, NULL, 1768478400001, 1814400000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000023, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'unlucky.example.com', 'C-1000023', 'Vera Primjer', 'client-1000023@example.com', 'client-1000023@example.com', 'unlucky.example.comZvera primjerZc-1000023', false, 1760227200000, 1769385600000, NULL, NULL, NULL, NULL, 1768478400002, 2160000000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000024, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'fresh.example.com', 'C-1000024', 'Wim Voorbeeld', 'client-1000024@example.com', 'client-1000024@example.com', 'fresh.example.comZwim voorbeeldZc-1000024', false, 1767571200000, 1770249600000, NULL, NULL, NULL, NULL, 1768478400001, 345600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000025, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JY6', 'watched.example.com', 'C-1000025', 'Xenia Paradeigma', 'client-1000025@example.com', 'client-1000025@example.com', 'watched.example.comZxenia paradeigmaZc-1000025', true, 1761523200000, 1769558400000, NULL, NULL, NULL, NULL, 1768478400004, 2332800000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JYN');
INSERT INTO public.services VALUES (1000101, 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'www.example.net', 'C-1000101', 'Yara Example', 'client-1000101@example.com', 'client-1000101@example.com', 'www.example.netZyara exampleZc-1000101', false, 1763251200000, 1769731200000, NULL, NULL, NULL, NULL, 1768478400000, 2505600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JZ7');
INSERT INTO public.services VALUES (1000102, 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'active', 'pln_01KF0RDQG0SCCHGYHHAN565JZ3', 'mail.example.net', 'C-1000102', 'Zoe Example', 'client-1000102@example.com', 'client-1000102@example.com', 'mail.example.netZzoe exampleZc-1000102', false, 1764115200000, 1769299200000, NULL, NULL, NULL, NULL, 1768478400000, 2073600000, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JZ7');
INSERT INTO public.services VALUES (1000103, 'brk_01FE8WFQG0WGH7S420VZS1QDW7', 'cancelled', 'pln_01KF0RDQG0SCCHGYHHAN565JZ2', 'old.example.net', 'C-1000103', 'Zoe Example', 'client-1000103@example.com', 'client-1000103@example.com', 'old.example.netZzoe exampleZc-1000103', false, 1725235200000, NULL, 1766707200000, NULL, NULL, NULL, 1768478400000, NULL, NULL, NULL, NULL, 'aud_01KF0RDQG0SCCHGYHHAN565JZ7');
INSERT INTO public.settings VALUES ('sandbox_secret', 'e4b72ff907cdc2d68f156a6773aa469e6f70c066a1e9744abefba1f5d19d2d89');
INSERT INTO public.template_versions VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-completed', 1, 'Your service {{ service_number }} has been cancelled', '<!doctype html>
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
INSERT INTO public.template_versions VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 1, 'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation', '<!doctype html>
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
INSERT INTO public.template_versions VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 1, 'Your service {{ service_number }} is now on the plan {{ plan_name }}', '<!doctype html>
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
INSERT INTO public.template_versions VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 1, 'Your new service {{ service_number }} is ready', '<!doctype html>
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
INSERT INTO public.template_versions VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspension-completed', 1, 'Your service {{ service_number }} is suspended', '<!doctype html>
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
INSERT INTO public.template_versions VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'unsuspension-completed', 1, 'Your service {{ service_number }} is active again', '<!doctype html>
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
INSERT INTO public.templates VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-completed', 'Your service {{ service_number }} has been cancelled', '<!doctype html>
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
', true, 1768478400000);
INSERT INTO public.templates VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'cancellation-warning', 'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation', '<!doctype html>
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
', true, 1768478400000);
INSERT INTO public.templates VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'plan-change-completed', 'Your service {{ service_number }} is now on the plan {{ plan_name }}', '<!doctype html>
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
', true, 1768478400000);
INSERT INTO public.templates VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'service-created', 'Your new service {{ service_number }} is ready', '<!doctype html>
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
', true, 1768478400000);
INSERT INTO public.templates VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'suspension-completed', 'Your service {{ service_number }} is suspended', '<!doctype html>
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
', true, 1768478400000);
INSERT INTO public.templates VALUES ('brk_01FE8WFQG04BR02KWBARDSV3VJ', 'unsuspension-completed', 'Your service {{ service_number }} is active again', '<!doctype html>
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
', true, 1768478400000);
INSERT INTO public.usage VALUES (1, 1768305600000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'getService', 'ok', 9, 209, 0, 0, 0, 0, 0, 52, 94, 42, 0, 17, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO public.usage VALUES (1, 1768305600000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'listServices', 'ok', 9, 256, 0, 0, 0, 0, 0, 0, 0, 64, 116, 51, 0, 20, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO public.usage VALUES (2, 1768305600000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'listServices', 'ok', 9, 256, 0, 0, 0, 0, 0, 0, 0, 64, 116, 51, 0, 20, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
INSERT INTO public.usage VALUES (3, 1768262400000, 'brk_01FE8WFQG04BR02KWBARDSV3VJ', 'key_01KF0RDQG0SCCHGYHHAN565JYX', 'listServices', 'ok', 9, 2411, 0, 0, 0, 0, 0, 0, 0, 602, 1088, 479, 0, 192, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "api_keys_publicId_unique" UNIQUE (public_id);
ALTER TABLE ONLY public.audit_trail
    ADD CONSTRAINT audit_trail_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.brokers
    ADD CONSTRAINT brokers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.brokers
    ADD CONSTRAINT brokers_slug_unique UNIQUE (slug);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.console_links
    ADD CONSTRAINT console_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT "console_sessions_tokenHash_unique" UNIQUE (token_hash);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_broker_id_subject_kind_status_slot_pk PRIMARY KEY (broker_id, subject, kind, status, slot);
ALTER TABLE ONLY public.email_log
    ADD CONSTRAINT email_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.firewall_rules
    ADD CONSTRAINT firewall_rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_broker_id_mode_namespace_key_pk PRIMARY KEY (broker_id, mode, namespace, key);
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_broker_id_invoice_number_pk PRIMARY KEY (broker_id, invoice_number);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT "operators_emailFolded_unique" UNIQUE (email_folded);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.report_recipients
    ADD CONSTRAINT report_recipients_broker_id_email_folded_pk PRIMARY KEY (broker_id, email_folded);
ALTER TABLE ONLY public.request_history
    ADD CONSTRAINT request_history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (made_at);
ALTER TABLE ONLY public.sequences
    ADD CONSTRAINT sequences_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.template_versions
    ADD CONSTRAINT template_versions_broker_id_kind_version_pk PRIMARY KEY (broker_id, kind, version);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_broker_id_kind_pk PRIMARY KEY (broker_id, kind);
ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_stage_from_at_broker_id_key_id_operation_outcome_gate_pk PRIMARY KEY (stage, from_at, broker_id, key_id, operation, outcome, gate);
CREATE INDEX api_keys_by_broker ON public.api_keys USING btree (broker_id, created_at);
CREATE INDEX api_keys_newest ON public.api_keys USING btree (created_at, public_id);
CREATE INDEX audit_trail_by_actor ON public.audit_trail USING btree (actor, id);
CREATE INDEX audit_trail_by_broker ON public.audit_trail USING btree (broker_id, id);
CREATE INDEX audit_trail_by_subject ON public.audit_trail USING btree (subject, id);
CREATE INDEX calls_by_broker ON public.calls USING btree (broker_id, at);
CREATE INDEX calls_by_code ON public.calls USING btree (code, at) WHERE (code IS NOT NULL);
CREATE INDEX calls_by_key ON public.calls USING btree (key_id, at);
CREATE INDEX calls_newest ON public.calls USING btree (at, request_id);
CREATE INDEX console_links_by_operator ON public.console_links USING btree (operator_id, created_at);
CREATE INDEX console_sessions_by_operator ON public.console_sessions USING btree (operator_id, created_at);
CREATE INDEX email_log_newest ON public.email_log USING btree (broker_id, created_at, id);
CREATE INDEX email_log_of_service ON public.email_log USING btree (broker_id, service_number, created_at);
CREATE INDEX email_log_to_erase ON public.email_log USING btree (created_at) WHERE (erased_at IS NULL);
CREATE INDEX email_log_undecided ON public.email_log USING btree (created_at) WHERE (status = ANY (ARRAY['open'::text, 'unknown'::text]));
CREATE UNIQUE INDEX firewall_rules_once ON public.firewall_rules USING btree (broker_id, rule);
CREATE INDEX idempotency_expiry ON public.idempotency_records USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX invoices_by_service ON public.invoices USING btree (broker_id, service_number, issued_at, invoice_number);
CREATE INDEX invoices_issued ON public.invoices USING btree (broker_id, issued_at, invoice_number);
CREATE UNIQUE INDEX plans_display_name_once ON public.plans USING btree (broker_id, display_name_folded);
CREATE INDEX plans_in_order ON public.plans USING btree (broker_id, upgrade_rank, id);
CREATE UNIQUE INDEX plans_slug_once ON public.plans USING btree (broker_id, slug_folded);
CREATE INDEX request_history_in_order ON public.request_history USING btree (request_id, at, id);
CREATE INDEX requests_by_service ON public.requests USING btree (broker_id, service_number, submitted_at DESC, id);
CREATE INDEX requests_by_status ON public.requests USING btree (broker_id, status, submitted_at DESC, id);
CREATE INDEX requests_by_type ON public.requests USING btree (broker_id, type, submitted_at DESC, id);
CREATE INDEX requests_by_update ON public.requests USING btree (broker_id, updated_at);
CREATE INDEX requests_due ON public.requests USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX requests_in_step ON public.requests USING btree (broker_id, updated_at, id);
CREATE INDEX requests_newest ON public.requests USING btree (broker_id, submitted_at DESC, id);
CREATE UNIQUE INDEX requests_one_open_cancellation ON public.requests USING btree (service_number) WHERE ((type = 'cancellation'::text) AND (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text])));
CREATE UNIQUE INDEX requests_one_open_plan_change ON public.requests USING btree (service_number) WHERE ((type = ANY (ARRAY['plan-upgrade'::text, 'plan-downgrade'::text])) AND (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text])));
CREATE UNIQUE INDEX requests_one_open_suspension ON public.requests USING btree (service_number) WHERE ((type = ANY (ARRAY['service-suspension'::text, 'service-unsuspension'::text])) AND (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text])));
CREATE INDEX requests_open ON public.requests USING btree (service_number) WHERE (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text]));
CREATE INDEX requests_open_in_order ON public.requests USING btree (broker_id, submitted_at, service_number) WHERE ((status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text])) AND (type <> ''::text));
CREATE INDEX requests_refused ON public.requests USING btree (id) WHERE (status = ANY (ARRAY['failed'::text, 'denied'::text]));
CREATE INDEX services_by_email ON public.services USING btree (broker_id, client_email_folded, created_at, number);
CREATE INDEX services_by_plan ON public.services USING btree (broker_id, plan_id, created_at, number);
CREATE INDEX services_by_reference ON public.services USING btree (broker_id, external_reference, created_at, number) WHERE (external_reference IS NOT NULL);
CREATE INDEX services_by_renewal ON public.services USING btree (broker_id, renewal_at, created_at, number);
CREATE INDEX services_by_status ON public.services USING btree (broker_id, status, created_at, number);
CREATE INDEX services_by_update ON public.services USING btree (broker_id, updated_at, number);
CREATE INDEX services_newest ON public.services USING btree (broker_id, created_at, number);
CREATE INDEX services_of_import ON public.services USING btree (broker_id, import_id, number) WHERE (import_id IS NOT NULL);
CREATE INDEX services_search ON public.services USING gin (search_text public.gin_trgm_ops);
CREATE INDEX services_to_renew ON public.services USING btree (renewal_at) WHERE ((renewal_at IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'active'::text, 'suspended'::text])));
CREATE INDEX usage_by_broker ON public.usage USING btree (broker_id, stage, from_at);
CREATE TRIGGER audit_trail_kept_as_written BEFORE DELETE OR UPDATE ON public.audit_trail FOR EACH ROW EXECUTE FUNCTION public.audit_trail_stands();
CREATE TRIGGER audit_trail_never_emptied BEFORE TRUNCATE ON public.audit_trail FOR EACH STATEMENT EXECUTE FUNCTION public.audit_trail_stands();
CREATE TRIGGER requests_date_service AFTER INSERT ON public.requests FOR EACH ROW WHEN ((new.status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text]))) EXECUTE FUNCTION public.requests_date_service();
CREATE TRIGGER services_suspension BEFORE UPDATE ON public.services FOR EACH ROW WHEN (((new.status = 'suspended'::text) = (new.suspended_at IS NULL))) EXECUTE FUNCTION public.services_keep_suspension();
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.console_links
    ADD CONSTRAINT console_links_operator_id_operators_id_fk FOREIGN KEY (operator_id) REFERENCES public.operators(id);
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_operator_id_operators_id_fk FOREIGN KEY (operator_id) REFERENCES public.operators(id);
ALTER TABLE ONLY public.email_log
    ADD CONSTRAINT email_log_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.firewall_rules
    ADD CONSTRAINT firewall_rules_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_service_number_services_number_fk FOREIGN KEY (service_number) REFERENCES public.services(number);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.report_recipients
    ADD CONSTRAINT report_recipients_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.request_history
    ADD CONSTRAINT request_history_request_id_requests_id_fk FOREIGN KEY (request_id) REFERENCES public.requests(id);
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_current_plan_id_plans_id_fk FOREIGN KEY (current_plan_id) REFERENCES public.plans(id);
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_new_plan_id_plans_id_fk FOREIGN KEY (new_plan_id) REFERENCES public.plans(id);
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_service_number_services_number_fk FOREIGN KEY (service_number) REFERENCES public.services(number);
ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_plan_id_plans_id_fk FOREIGN KEY (plan_id) REFERENCES public.plans(id);
ALTER TABLE ONLY public.template_versions
    ADD CONSTRAINT template_versions_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
