-- Null in the rows that 1.0 wrote and still writes.
ALTER TABLE "calls" ADD COLUMN "gate" bigint;
