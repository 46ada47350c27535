CREATE INDEX CONCURRENTLY "email_log_of_service" ON "email_log" USING btree ("broker_id","service_number","created_at");
