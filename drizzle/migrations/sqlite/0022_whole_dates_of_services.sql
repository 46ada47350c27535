-- in batches of services.number
-- After a jump of the clock 0.3 stored fractions of milliseconds.
update services set
  created_at = cast(created_at as integer),
  renewal_at = cast(renewal_at as integer),
  cancelled_at = cast(cancelled_at as integer),
  cancellation_effective_at = cast(cancellation_effective_at as integer),
  suspended_at = cast(suspended_at as integer),
  updated_at = cast(updated_at as integer)
where number between :first and :last and (typeof(created_at) = 'real' or typeof(renewal_at) = 'real' or typeof(cancelled_at) = 'real' or typeof(cancellation_effective_at) = 'real' or typeof(suspended_at) = 'real' or typeof(updated_at) = 'real');
