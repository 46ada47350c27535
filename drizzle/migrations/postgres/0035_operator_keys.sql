CREATE TABLE "operator_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"public_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"addresses" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"last_used_at" bigint,
	"last_used_ip" text COLLATE "C",
	CONSTRAINT "operator_keys_publicId_unique" UNIQUE("public_id")
);
