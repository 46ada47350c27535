ALTER TABLE "email_log" ALTER COLUMN "provider_code" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "work_token" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "work_begun_at" bigint;