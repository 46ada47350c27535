CREATE TABLE "audit_trail" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"actor_kind" text COLLATE "C" NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"client_ip" text COLLATE "C",
	"action" text COLLATE "C" NOT NULL,
	"broker_id" text COLLATE "C",
	"subject" text COLLATE "C" NOT NULL,
	"before" text COLLATE "C",
	"after" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"request_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"client_ip" text COLLATE "C",
	"method" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"service_number" bigint,
	"status" bigint NOT NULL,
	"code" text COLLATE "C",
	"reason" text COLLATE "C",
	"duration_us" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"stage" bigint NOT NULL,
	"from_at" bigint NOT NULL,
	"broker_id" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"gate" bigint NOT NULL,
	"calls" bigint NOT NULL,
	"d0" bigint NOT NULL,
	"d1" bigint NOT NULL,
	"d2" bigint NOT NULL,
	"d3" bigint NOT NULL,
	"d4" bigint NOT NULL,
	"d5" bigint NOT NULL,
	"d6" bigint NOT NULL,
	"d7" bigint NOT NULL,
	"d8" bigint NOT NULL,
	"d9" bigint NOT NULL,
	"d10" bigint NOT NULL,
	"d11" bigint NOT NULL,
	"d12" bigint NOT NULL,
	"d13" bigint NOT NULL,
	"d14" bigint NOT NULL,
	"d15" bigint NOT NULL,
	"d16" bigint NOT NULL,
	"d17" bigint NOT NULL,
	"d18" bigint NOT NULL,
	"d19" bigint NOT NULL,
	"d20" bigint NOT NULL,
	"d21" bigint NOT NULL,
	"d22" bigint NOT NULL,
	"d23" bigint NOT NULL,
	"d24" bigint NOT NULL,
	"d25" bigint NOT NULL,
	"d26" bigint NOT NULL,
	"d27" bigint NOT NULL,
	CONSTRAINT "usage_stage_from_at_broker_id_key_id_operation_outcome_gate_pk" PRIMARY KEY("stage","from_at","broker_id","key_id","operation","outcome","gate")
);
--> statement-breakpoint
CREATE INDEX "audit_trail_by_broker" ON "audit_trail" USING btree ("broker_id","id");--> statement-breakpoint
CREATE INDEX "audit_trail_by_actor" ON "audit_trail" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "audit_trail_by_subject" ON "audit_trail" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "calls_newest" ON "calls" USING btree ("at","request_id");--> statement-breakpoint
CREATE INDEX "calls_by_broker" ON "calls" USING btree ("broker_id","at");--> statement-breakpoint
CREATE INDEX "calls_by_key" ON "calls" USING btree ("key_id","at");--> statement-breakpoint
CREATE INDEX "calls_by_code" ON "calls" USING btree ("code","at") WHERE code is not null;--> statement-breakpoint
CREATE INDEX "usage_by_broker" ON "usage" USING btree ("broker_id","stage","from_at");