ALTER TABLE "email_log" ADD COLUMN "settled_at" bigint;--> statement-breakpoint
ALTER TABLE "email_log" ADD COLUMN "settled_note" text COLLATE "C";