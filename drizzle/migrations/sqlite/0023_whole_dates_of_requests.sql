-- in batches of requests.id
-- After a jump of the clock 0.3 stored fractions of milliseconds.
update requests set
  submitted_at = cast(submitted_at as integer),
  updated_at = cast(updated_at as integer),
  processed_at = cast(processed_at as integer),
  decided_at = cast(decided_at as integer),
  effective_at = cast(effective_at as integer),
  due_at = cast(due_at as integer),
  work_begun_at = cast(work_begun_at as integer)
where id between :first and :last and (typeof(submitted_at) = 'real' or typeof(updated_at) = 'real' or typeof(processed_at) = 'real' or typeof(decided_at) = 'real' or typeof(effective_at) = 'real' or typeof(due_at) = 'real' or typeof(work_begun_at) = 'real');
