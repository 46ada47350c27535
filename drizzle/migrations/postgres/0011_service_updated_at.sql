-- Written by hand: until now a service took the date of its last change from the open request that it shows, if that was
-- the later one. From now on its own row has that date. A server of 0.2.0 does not write it for the requests that it takes
-- in, so the database does; the next release drops the trigger, and the index requests_open_in_order, which 0.2.0 uses.
CREATE FUNCTION requests_date_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE services SET updated_at = NEW.submitted_at WHERE number = NEW.service_number AND updated_at < NEW.submitted_at;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER requests_date_service AFTER INSERT ON requests FOR EACH ROW
WHEN (NEW.status IN ('pending', 'operator_review', 'accepted'))
EXECUTE FUNCTION requests_date_service();--> statement-breakpoint
-- in batches of services.number
UPDATE services SET updated_at = shown.submitted_at FROM (
	SELECT DISTINCT service_number, first_value(submitted_at) OVER (
		PARTITION BY service_number
		ORDER BY CASE type WHEN 'cancellation' THEN 0 WHEN 'service-creation' THEN 2 ELSE 1 END
	) AS submitted_at
	FROM requests
	WHERE status IN ('pending', 'operator_review', 'accepted') AND service_number > :after AND service_number <= :last
) AS shown WHERE shown.service_number = services.number AND services.updated_at < shown.submitted_at;
