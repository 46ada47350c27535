-- The database of release 0.1.0 with data in every table, made by bin/release-fixture.mjs. Not to be changed.
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
CREATE TABLE public.brokers (
    id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    contact_email text NOT NULL COLLATE pg_catalog."C",
    sender_email text NOT NULL COLLATE pg_catalog."C",
    ip_restriction_enabled boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.counters (
    broker_id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL
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
    provider_code bigint,
    provider_message_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    completed_at bigint,
    erased_at bigint
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
    attempts bigint NOT NULL
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
    updated_at bigint NOT NULL
);
CREATE TABLE public.settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
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
INSERT INTO public.api_keys VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS36', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'DemoLive', '511a8663f538f75387f41a2b8f61dfe88124b4a1578ce73fc1652254cadd8c2e', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS37', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'DemoTest', '10fa0edce9844dbbc50a1cf9aa5e56fcfc55e9d7f75a80f1512f9749ec4c4324', 'test', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS38', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'DemoNone', '16d6ee9f32dff4cb12c6f28c8e7ad0c86bcec82baf1fa4bc08bb42f887d0d006', 'test', 'Demo key (no scopes)', '[]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01Q4JQ3TG0Q517ZQJFQ28XDS3C', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'DemoOthr', '0f73e9b381fc50e8ac10b2fe6e77340215a5257145517c4a8256af6e3717aaef', 'live', 'Demo key (admin:full)', '["admin:full"]', 'active', NULL, NULL, 1894708800000, NULL, NULL, NULL);
INSERT INTO public.brokers VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'demo', 'Demo Hosting', 'active', 'office@demo-hosting.example.com', 'support@demo-hosting.example.com', false, 1894708800000, 1894708800000);
INSERT INTO public.brokers VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'demo-other', 'Other Hosting', 'active', 'office@other-hosting.example.net', 'support@other-hosting.example.net', false, 1894708800000, 1894708800000);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation', 'accepted', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation', 'completed', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation', 'pending', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'cancellation-warning', 'approved', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-downgrade', 'accepted', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'completed', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'denied', 2);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'failed', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'operator_review', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'plan-upgrade', 'pending', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'requests', 'service-creation', 'completed', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'active', 8);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'cancelled', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'suspended', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'terminated', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS20', 'active', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'active', 3);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'cancelled', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'pending', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'active', 3);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'active', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'pending', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'suspended', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'active', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'terminated', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'active', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'cancelled', 1);
INSERT INTO public.counters VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'services', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3B', 'active', 1);
INSERT INTO public.email_log VALUES ('eml_01Q4JQ3TG0Q517ZQJFQ28XDS3E', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'template-test', NULL, NULL, 'sent', 'ada@example.com', 'Your new service 1000001 is ready', '<!doctype html>
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
INSERT INTO public.firewall_rules VALUES ('fwr_01Q4JQ3TG0Q517ZQJFQ28XDS3D', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', '192.0.2.0/24', 'office', 1894708800000);
INSERT INTO public.idempotency_records VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'live', 'action', 'fixture', 'f', 200, '{"success":true,"data":{}}', 1894708800000, 1894795200000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2001', 1000001, '6.00', 'EUR', 'paid', 1887926400000, 1889136000000, 1888617600000, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2002', 1000001, '6.00', 'EUR', 'paid', 1890518400000, 1891728000000, 1891209600000, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2003', 1000001, '6.00', 'EUR', 'open', 1893110400000, 1894320000000, NULL, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2004', 1000002, '18.00', 'EUR', 'paid', 1891123200000, 1892332800000, 1891123200000, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2005', 1000002, '18.00', 'EUR', 'open', 1893715200000, 1894924800000, NULL, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2006', 1000003, '36.00', 'EUR', 'paid', 1892419200000, 1893628800000, 1893542400000, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2007', 1000005, '7.94', 'EUR', 'open', 1893888000000, 1895097600000, NULL, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2008', 1000006, '44.53', 'EUR', 'void', 1893888000000, 1895097600000, NULL, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2009', 1000013, '6.00', 'EUR', 'open', 1890345600000, 1891555200000, NULL, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'D-2010', 1000022, '18.00', 'EUR', 'paid', 1892592000000, 1893801600000, 1892937600000, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'O-1', 1000101, '4.90', 'USD', 'paid', 1891987200000, 1893196800000, 1892073600000, 1894708800000);
INSERT INTO public.invoices VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'O-2', 1000102, '14.90', 'USD', 'open', 1894147200000, 1895356800000, NULL, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'starter', 'starter', 'Starter', 'starter', 10, 'monthly', true, false, 'A small server for a first site.', 1, 2048, 40, 1000, '6.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS20', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'classic', 'classic', 'Classic (2019)', 'classic (2019)', 15, 'monthly', false, false, 'No longer sold; a few clients still have it.', 1, 4096, 60, 1000, '9.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'business', 'business', 'Business', 'business', 20, 'monthly', true, false, 'Room for a shop and its database.', 2, 8192, 120, 3000, '18.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'performance', 'performance', 'Performance', 'performance', 30, 'monthly', true, false, 'For sites that many people visit at once.', 4, 16384, 240, 6000, '36.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS23', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'dedicated', 'dedicated', 'Dedicated Server', 'dedicated server', 40, 'monthly', true, true, 'A machine of its own, made ready by hand.', 16, 65536, 960, 20000, '129.00', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'flex-small', 'flex-small', 'Flex Small', 'flex small', 10, 'hourly', true, false, 'Billed by the hour.', 1, 2048, 40, 1000, '0.012', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'flex-large', 'flex-large', 'Flex Large', 'flex large', 20, 'hourly', true, false, 'Billed by the hour.', 4, 16384, 160, 4000, '0.061', 'EUR', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'basic', 'basic', 'Basic', 'basic', 1, 'monthly', true, false, NULL, 1, 1024, 20, 500, '4.90', 'USD', 1894708800000, 1894708800000);
INSERT INTO public.plans VALUES ('pln_01Q4JQ3TG0Q517ZQJFQ28XDS3B', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'plus', 'plus', 'Plus', 'plus', 2, 'monthly', true, false, NULL, 2, 4096, 80, 2000, '14.90', 'USD', 1894708800000, 1894708800000);
INSERT INTO public.report_recipients VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'accounts@demo-hosting.example.com', 'accounts@demo-hosting.example.com', 1894708800000);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS27', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS26', 'approved', 1894449600000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS29', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS28', 'pending', 1894622400000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2B', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2A', 'pending', 1894536000000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2D', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2C', 'operator_review', 1894622400000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2F', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2E', 'operator_review', 1894363200000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2G', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2E', 'accepted', 1894449600000, 'operator', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2J', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 'pending', 1894276800000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2K', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 'accepted', 1894363200000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2N', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2M', 'accepted', 1892980800000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2P', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2M', 'completed', 1892980860000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2R', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2Q', 'accepted', 1893844800000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2S', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2Q', 'completed', 1893844860000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2V', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 'accepted', 1892116800000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2W', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 'completed', 1892116860000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2Y', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2X', 'accepted', 1894190400000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS2Z', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2X', 'failed', 1894190460000, 'system', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS31', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS30', 'pending', 1894017600000, 'client', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS32', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS30', 'denied', 1894104000000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS34', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS33', 'operator_review', 1893931200000, 'broker', NULL);
INSERT INTO public.request_history VALUES ('evt_01Q4JQ3TG0Q517ZQJFQ28XDS35', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'req_01Q4JQ3TG0Q517ZQJFQ28XDS33', 'denied', 1894104000000, 'operator', NULL);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS26', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000009, 'cancellation-warning', 'approved', 'broker', 1894449600000, 1894449600000, 1894449600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Two invoices are overdue.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS28', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000017, 'plan-upgrade', 'pending', 'client', 1894622400000, 1894622400000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2A', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000018, 'cancellation', 'pending', 'client', 1894536000000, 1894536000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'end_of_term', 'The project has ended.', NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2C', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000019, 'plan-upgrade', 'operator_review', 'broker', 1894622400000, 1894622400000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS23', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2E', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000020, 'plan-downgrade', 'accepted', 'broker', 1894363200000, 1894449600000, NULL, 'accept', 'operator', NULL, 1894449600000, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 1896220800000, NULL, NULL, 1896220800000, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000021, 'cancellation', 'accepted', 'client', 1894276800000, 1894363200000, NULL, 'approve', 'broker', NULL, 1894363200000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1895875200000, 'end_of_term', 'We are moving in with another team.', 1895875200000, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2M', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000022, 'plan-upgrade', 'completed', 'broker', 1892980800000, 1892980860000, 1892980860000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 1892980800000, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2Q', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000024, 'service-creation', 'completed', 'broker', 1893844800000, 1893844860000, 1893844860000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000013, 'cancellation', 'completed', 'broker', 1892116800000, 1892116860000, 1892116860000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1892116800000, 'immediate', NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS2X', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000023, 'plan-upgrade', 'failed', 'broker', 1894190400000, 1894190460000, 1894190460000, NULL, NULL, NULL, NULL, 'provisioning_failed', 'No host had room for the larger plan', true, true, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 1894190400000, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS30', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000002, 'plan-upgrade', 'denied', 'client', 1894017600000, 1894104000000, 1894104000000, 'deny', 'broker', 'Please settle the open invoice first.', 1894104000000, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.requests VALUES ('req_01Q4JQ3TG0Q517ZQJFQ28XDS33', 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 1000025, 'plan-upgrade', 'denied', 'broker', 1893931200000, 1894104000000, 1894104000000, 'deny', 'operator', 'The migration is planned for next month.', 1894104000000, NULL, NULL, NULL, NULL, NULL, 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.schema_migrations VALUES (1795192323482, 'c3fdc239a44ee9100c38f230ab22e84d3e569037623edb39e2248626d2919f19');
INSERT INTO public.schema_migrations VALUES (1795192324261, '6a87ae2cc951ec6a507c080d35624a19221e419cc572c5001d96cf5d05c556df');
INSERT INTO public.sequences VALUES ('service_number', 1000001);
INSERT INTO public.services VALUES (1000001, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'shop.example.com', 'C-1000001', 'Ada Example', 'client-1000001@example.com', 'client-1000001@example.com', 'shop.example.comZada exampleZc-1000001', false, 1860105600000, 1895702400000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000002, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'blog.example.com', 'C-1000002', 'Ben Sample', 'client-1000002@example.com', 'client-1000002@example.com', 'blog.example.comZben sampleZc-1000002', false, 1867017600000, 1896393600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000003, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'team.example.com', 'C-1000003', 'Clara Muster', 'client-1000003@example.com', 'client-1000003@example.com', 'team.example.comZclara musterZc-1000003', false, 1868745600000, 1895097600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000004, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS20', 'archive.example.com', 'C-1000004', 'Dan Ejemplo', 'client-1000004@example.com', 'client-1000004@example.com', 'archive.example.comZdan ejemploZc-1000004', false, 1765065600000, 1897084800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000005, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'render-1', 'C-1000005', 'Eva Esempio', 'client-1000005@example.com', 'client-1000005@example.com', 'render-1Zeva esempioZc-1000005', false, 1891209600000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000006, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'render-2', 'C-1000006', 'Eva Esempio', 'client-1000006@example.com', 'client-1000006@example.com', 'render-2Zeva esempioZc-1000006', false, 1891382400000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000007, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'noaddress.example.com', 'C-1000007', 'Finn Exemple', NULL, NULL, 'noaddress.example.comZfinn exempleZc-1000007', false, 1877385600000, 1895443200000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000008, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'badaddress.example.com', 'C-1000008', 'Greta Voorbeeld', 'greta at home', 'greta at home', 'badaddress.example.comZgreta voorbeeldZc-1000008', false, 1878249600000, 1895443200000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000009, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'suspended', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'paused.example.com', 'C-1000009', 'Hal Example', 'client-1000009@example.com', 'client-1000009@example.com', 'paused.example.comZhal exampleZc-1000009', false, 1879113600000, 1894924800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000010, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'suspended', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', 'render-3', 'C-1000010', 'Ida Przykład', 'client-1000010@example.com', 'client-1000010@example.com', 'render-3Zida przykładZc-1000010', false, 1892505600000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000011, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'pending', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'new.example.com', 'C-1000011', 'Jon Dæmi', 'client-1000011@example.com', 'client-1000011@example.com', 'new.example.comZjon dæmiZc-1000011', false, 1894579200000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000012, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'pending', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS24', NULL, 'C-1000012', 'Kim Örnek', 'client-1000012@example.com', 'client-1000012@example.com', 'kim örnekZc-1000012', false, 1894579200000, NULL, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000013, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancelled', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'gone.example.com', 'C-1000013', 'Lea Beispiel', 'client-1000013@example.com', 'client-1000013@example.com', 'gone.example.comZlea beispielZc-1000013', false, 1834185600000, NULL, 1892073600000, 'immediate', 1892116800000, 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2T', 1892116800000);
INSERT INTO public.services VALUES (1000014, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancelled', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'left.example.com', 'C-1000014', 'Max Beispiel', 'client-1000014@example.com', 'client-1000014@example.com', 'left.example.comZmax beispielZc-1000014', false, 1838505600000, NULL, 1886889600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000015, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'terminated', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'ended.example.com', 'C-1000015', 'Nia Enghraifft', 'client-1000015@example.com', 'client-1000015@example.com', 'ended.example.comZnia enghraifftZc-1000015', false, 1816905600000, NULL, 1877385600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000016, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'terminated', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS25', 'render-4', 'C-1000016', 'Olu Apẹẹrẹ', 'client-1000016@example.com', 'client-1000016@example.com', 'render-4Zolu apẹẹrẹZc-1000016', false, 1885161600000, NULL, 1889481600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000017, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'wants-more.example.com', 'C-1000017', 'Pia Exempel', 'client-1000017@example.com', 'client-1000017@example.com', 'wants-more.example.comZpia exempelZc-1000017', false, 1881705600000, 1896048000000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000018, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'wants-out.example.com', 'C-1000018', 'Quinn Example', 'client-1000018@example.com', 'client-1000018@example.com', 'wants-out.example.comZquinn exampleZc-1000018', false, 1882569600000, 1896566400000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000019, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'review.example.com', 'C-1000019', 'Rosa Ejemplo', 'client-1000019@example.com', 'client-1000019@example.com', 'review.example.comZrosa ejemploZc-1000019', false, 1883433600000, 1896825600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000020, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS22', 'smaller-soon.example.com', 'C-1000020', 'Sven Eksempel', 'client-1000020@example.com', 'client-1000020@example.com', 'smaller-soon.example.comZsven eksempelZc-1000020', false, 1884297600000, 1896220800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000021, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'leaving.example.com', 'C-1000021', 'Tara Udaharan', 'client-1000021@example.com', 'client-1000021@example.com', 'leaving.example.comZtara udaharanZc-1000021', false, 1884729600000, 1895875200000, NULL, 'end_of_term', 1895875200000, 'req_01Q4JQ3TG0Q517ZQJFQ28XDS2H', 1894363200000);
INSERT INTO public.services VALUES (1000022, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS21', 'grown.example.com', 'C-1000022', 'Udo Beispiel', 'client-1000022@example.com', 'client-1000022@example.com', 'grown.example.comZudo beispielZc-1000022', false, 1886025600000, 1895270400000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000023, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'unlucky.example.com', 'C-1000023', 'Vera Primjer', 'client-1000023@example.com', 'client-1000023@example.com', 'unlucky.example.comZvera primjerZc-1000023', false, 1886457600000, 1895616000000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000024, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'fresh.example.com', 'C-1000024', 'Wim Voorbeeld', 'client-1000024@example.com', 'client-1000024@example.com', 'fresh.example.comZwim voorbeeldZc-1000024', false, 1893801600000, 1896480000000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000025, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS1Z', 'watched.example.com', 'C-1000025', 'Xenia Paradeigma', 'client-1000025@example.com', 'client-1000025@example.com', 'watched.example.comZxenia paradeigmaZc-1000025', true, 1887753600000, 1895788800000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000101, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'www.example.net', 'C-1000101', 'Yara Example', 'client-1000101@example.com', 'client-1000101@example.com', 'www.example.netZyara exampleZc-1000101', false, 1889481600000, 1895961600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000102, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'active', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3B', 'mail.example.net', 'C-1000102', 'Zoe Example', 'client-1000102@example.com', 'client-1000102@example.com', 'mail.example.netZzoe exampleZc-1000102', false, 1890345600000, 1895529600000, NULL, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.services VALUES (1000103, 'brk_01Q4JQ3TG0Q517ZQJFQ28XDS39', 'cancelled', 'pln_01Q4JQ3TG0Q517ZQJFQ28XDS3A', 'old.example.net', 'C-1000103', 'Zoe Example', 'client-1000103@example.com', 'client-1000103@example.com', 'old.example.netZzoe exampleZc-1000103', false, 1851465600000, NULL, 1892937600000, NULL, NULL, NULL, 1894708800000);
INSERT INTO public.settings VALUES ('sandbox_secret', 'f11a7d7e8793ac2c4fbe224757a5a17c647fa4ec52f01570018e4c226f99b647');
INSERT INTO public.templates VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancellation-completed', 'Your service {{ service_number }} has been cancelled', '<!doctype html>
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
', true, 1894708800000);
INSERT INTO public.templates VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'cancellation-warning', 'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation', '<!doctype html>
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
', true, 1894708800000);
INSERT INTO public.templates VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'plan-change-completed', 'Your service {{ service_number }} is now on the plan {{ plan_name }}', '<!doctype html>
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
', true, 1894708800000);
INSERT INTO public.templates VALUES ('brk_01Q4JQ3TG0Q517ZQJFQ28XDS1Y', 'service-created', 'Your new service {{ service_number }} is ready', '<!doctype html>
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
', true, 1894708800000);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "api_keys_publicId_unique" UNIQUE (public_id);
ALTER TABLE ONLY public.brokers
    ADD CONSTRAINT brokers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.brokers
    ADD CONSTRAINT brokers_slug_unique UNIQUE (slug);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_broker_id_subject_kind_status_pk PRIMARY KEY (broker_id, subject, kind, status);
ALTER TABLE ONLY public.email_log
    ADD CONSTRAINT email_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.firewall_rules
    ADD CONSTRAINT firewall_rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_broker_id_mode_namespace_key_pk PRIMARY KEY (broker_id, mode, namespace, key);
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_broker_id_invoice_number_pk PRIMARY KEY (broker_id, invoice_number);
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
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_broker_id_kind_pk PRIMARY KEY (broker_id, kind);
CREATE INDEX api_keys_by_broker ON public.api_keys USING btree (broker_id, created_at);
CREATE INDEX email_log_newest ON public.email_log USING btree (broker_id, created_at, id);
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
CREATE INDEX requests_newest ON public.requests USING btree (broker_id, submitted_at DESC, id);
CREATE UNIQUE INDEX requests_one_open_cancellation ON public.requests USING btree (service_number) WHERE ((type = 'cancellation'::text) AND (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text])));
CREATE UNIQUE INDEX requests_one_open_plan_change ON public.requests USING btree (service_number) WHERE ((type = ANY (ARRAY['plan-upgrade'::text, 'plan-downgrade'::text])) AND (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text])));
CREATE INDEX requests_open ON public.requests USING btree (service_number) WHERE (status = ANY (ARRAY['pending'::text, 'operator_review'::text, 'accepted'::text]));
CREATE INDEX services_by_email ON public.services USING btree (broker_id, client_email_folded, created_at, number);
CREATE INDEX services_by_plan ON public.services USING btree (broker_id, plan_id, created_at, number);
CREATE INDEX services_by_renewal ON public.services USING btree (broker_id, renewal_at, created_at, number);
CREATE INDEX services_by_status ON public.services USING btree (broker_id, status, created_at, number);
CREATE INDEX services_newest ON public.services USING btree (broker_id, created_at, number);
CREATE INDEX services_search ON public.services USING gin (search_text public.gin_trgm_ops);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
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
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_broker_id_brokers_id_fk FOREIGN KEY (broker_id) REFERENCES public.brokers(id);
