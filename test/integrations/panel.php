<?php
/** What the stand-ins for panels have in common: each reads a call a line, and writes what came of it. */
declare(strict_types=1);

// What PHP only warns of is a fault, too.
error_reporting(E_ALL);
set_error_handler(static fn(int $level, string $text, string $file, int $line) => throw new ErrorException($text, 0, $level, $file, $line));

/** In place of `sleep` in broker.php. */
function note(int $seconds): void
{
    $GLOBALS['waits'][] = $seconds;
}

/** @param callable(array): array $answer what comes of a call */
function answer_calls(callable $answer): void
{
    while (($line = fgets(STDIN)) !== false) {
        $GLOBALS['waits'] = [];
        $call = json_decode($line, true);
        // A page, where a call says so; else a cron job.
        $GLOBALS['sapi'] = ($call['isPage'] ?? false) ? 'fpm-fcgi' : 'cli';
        $outcome = $answer($call);
        echo json_encode($outcome + ['waits' => $GLOBALS['waits']]), PHP_EOL;
    }
}
