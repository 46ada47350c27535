CREATE TABLE "console_links" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"operator_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"operator_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ip" text COLLATE "C",
	"user_agent" text COLLATE "C",
	CONSTRAINT "console_sessions_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_folded" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"last_sign_in_at" bigint,
	CONSTRAINT "operators_emailFolded_unique" UNIQUE("email_folded")
);
--> statement-breakpoint
ALTER TABLE "console_links" ADD CONSTRAINT "console_links_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "console_links_by_operator" ON "console_links" USING btree ("operator_id","created_at");--> statement-breakpoint
CREATE INDEX "console_sessions_by_operator" ON "console_sessions" USING btree ("operator_id","created_at");--> statement-breakpoint
CREATE INDEX "requests_refused" ON "requests" USING btree ("id") WHERE status in ('failed', 'denied');