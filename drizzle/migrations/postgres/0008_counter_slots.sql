-- Put in order by hand: the generator makes the key before its column.
ALTER TABLE "counters" ADD COLUMN "slot" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "counters" DROP CONSTRAINT "counters_broker_id_subject_kind_status_pk";--> statement-breakpoint
ALTER TABLE "counters" ADD CONSTRAINT "counters_broker_id_subject_kind_status_slot_pk" PRIMARY KEY("broker_id","subject","kind","status","slot");
