DROP INDEX `requests_open_in_order`;--> statement-breakpoint
-- Written by hand: until now a service took the date of its last change from the open request that it shows, if that was
-- the later one. From now on its own row has that date. A server of the release before that runs beside this one does not
-- write it for the requests that it takes in: until their next change, this release shows such services with the earlier
-- date.
UPDATE services SET updated_at = shown.submitted_at FROM (
	SELECT DISTINCT service_number, first_value(submitted_at) OVER (
		PARTITION BY service_number
		ORDER BY CASE type WHEN 'cancellation' THEN 0 WHEN 'service-creation' THEN 2 ELSE 1 END
	) AS submitted_at
	FROM requests WHERE status IN ('pending', 'operator_review', 'accepted')
) AS shown WHERE shown.service_number = services.number AND services.updated_at < shown.submitted_at;
