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
DROP INDEX "requests_one_open_suspension";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "cleans_up" boolean;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "action_name" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "action_display_name" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "action_configuration" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "configuration" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "access" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "reference" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "consumption" ADD CONSTRAINT "consumption_service_number_services_number_fk" FOREIGN KEY ("service_number") REFERENCES "public"."services"("number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_offers" ADD CONSTRAINT "plan_offers_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consumption_by_number" ON "consumption" USING btree ("broker_id","service_number");--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_suspend" ON "requests" USING btree ("service_number") WHERE type = 'service-suspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_unsuspend" ON "requests" USING btree ("service_number") WHERE type = 'service-unsuspension' and status in ('pending', 'operator_review', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "requests_one_open_action" ON "requests" USING btree ("service_number") WHERE type = 'service-action' and status in ('pending', 'operator_review', 'accepted');