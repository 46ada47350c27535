-- What release 0.2.0 alone used.
DROP INDEX `requests_by_update`;--> statement-breakpoint
DROP INDEX `requests_open_in_order`;--> statement-breakpoint
DROP TRIGGER requests_date_service;
