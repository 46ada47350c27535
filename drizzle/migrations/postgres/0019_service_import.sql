ALTER TABLE "services" ADD COLUMN "import_id" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "services_of_import" ON "services" USING btree ("broker_id","import_id","number") WHERE import_id is not null;
