-- in batches of request_history.id
-- After a jump of the clock 0.3 stored fractions of milliseconds.
update request_history set
  at = cast(at as integer)
where id between :first and :last and (typeof(at) = 'real');
