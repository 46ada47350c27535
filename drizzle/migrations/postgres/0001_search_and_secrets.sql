-- Substring search on services: an index of trigrams.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE INDEX services_search ON services USING gin (search_text gin_trgm_ops);--> statement-breakpoint
-- What signs the ids of simulated requests: made once, shared by every instance on this database.
INSERT INTO settings (name, value) VALUES ('sandbox_secret', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));--> statement-breakpoint
INSERT INTO sequences (name, next_value) VALUES ('service_number', 1000001);
