CREATE TABLE "template_versions" (
	"broker_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"version" bigint NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"html" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"actor" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "template_versions_broker_id_kind_version_pk" PRIMARY KEY("broker_id","kind","version")
);
--> statement-breakpoint
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_broker_id_brokers_id_fk" FOREIGN KEY ("broker_id") REFERENCES "public"."brokers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Written by hand: what stands is the first version that is known.
INSERT INTO template_versions (broker_id, kind, version, subject, html, text, created_at)
SELECT broker_id, kind, 1, subject, html, text, updated_at FROM templates;
