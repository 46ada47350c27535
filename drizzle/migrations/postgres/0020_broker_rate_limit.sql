ALTER TABLE "brokers" ADD COLUMN "rate_limit" bigint;
