CREATE TABLE "losses" (
	"history" bigint PRIMARY KEY NOT NULL,
	"cause" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"lost_from" bigint NOT NULL,
	"lost_until" bigint NOT NULL,
	"first_number" bigint NOT NULL,
	"last_number" bigint NOT NULL,
	"place" text COLLATE "C" NOT NULL,
	"ended_at" bigint,
	"moving" text COLLATE "C"
);
--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "withheld_by" bigint;--> statement-breakpoint
ALTER TABLE "sequences" ADD COLUMN "history_system" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "sequences" ADD COLUMN "history_table" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "sequences" ADD COLUMN "history_timeline" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "sequences" ADD COLUMN "history_address" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "uid" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "requests_withheld" ON "requests" USING btree ("withheld_by","id") WHERE withheld_by is not null;--> statement-breakpoint
-- The timeline of the WAL file that is being written: the control file's follows a promotion only minutes later. Null where
-- it cannot be read here: not allowed, missing, a standby.
CREATE FUNCTION history_timeline() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN left(pg_walfile_name(pg_current_wal_lsn()), 8);
EXCEPTION WHEN others THEN RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION history_system() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier::text FROM pg_control_system());
EXCEPTION WHEN others THEN RETURN NULL;
END $$;--> statement-breakpoint
-- No number is issued on another history, whatever release or import asks for it. What is not known is never different.
CREATE FUNCTION sequences_of_one_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.history_table <> TG_RELID::text THEN
    RAISE EXCEPTION 'the records are of another history' USING ERRCODE = 'BR015';
  END IF;
  IF new.history_timeline IS NOT NULL THEN
    IF new.history_timeline <> history_timeline() THEN
      RAISE EXCEPTION 'the records are of another history' USING ERRCODE = 'BR015';
    END IF;
  END IF;
  RETURN new;
END $$;--> statement-breakpoint
CREATE TRIGGER sequences_of_one_history BEFORE UPDATE ON sequences
  FOR EACH ROW EXECUTE FUNCTION sequences_of_one_history();
