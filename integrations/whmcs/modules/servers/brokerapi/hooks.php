<?php
/** The copy of the services: nightly in full, and while something is under way with each run of the cron job. */
declare(strict_types=1);

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

foreach (['AfterCronJob' => false, 'DailyCronJob' => true] as $hook => $everyServer) {
    add_hook($hook, 1, static function () use ($everyServer): void {
        require_once __DIR__ . '/brokerapi.php';
        brokerapi_copy($everyServer);
    });
}
