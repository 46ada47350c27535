ALTER TABLE "requests" ADD COLUMN "retry_of" text COLLATE "C";--> statement-breakpoint
CREATE UNIQUE INDEX "requests_retry_once" ON "requests" USING btree ("retry_of") WHERE retry_of is not null;--> statement-breakpoint
CREATE INDEX "services_by_machine" ON "services" USING btree ("reference","number") WHERE reference is not null;