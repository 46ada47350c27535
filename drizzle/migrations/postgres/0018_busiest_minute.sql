ALTER TABLE "usage" ADD COLUMN "busiest" bigint;
