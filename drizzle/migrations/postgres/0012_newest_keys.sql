CREATE INDEX CONCURRENTLY "api_keys_newest" ON "api_keys" USING btree ("created_at","public_id");
