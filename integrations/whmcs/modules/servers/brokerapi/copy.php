<?php
/**
 * The copy of the API's services that pages read, in a table of its own, and what it settles in WHMCS: addresses, user
 * name, host name, status, and the welcome email.
 */
declare(strict_types=1);

use WHMCS\Database\Capsule;

const BROKERAPI_TABLE = 'mod_brokerapi';

/** How far a service is for its client. One that existed before it was connected needs no welcome. */
const BROKERAPI_NEW = 0;
const BROKERAPI_DELIVERED = 1;
const BROKERAPI_WELCOMED = 2;

function brokerapi_table(): object
{
    static $isThere = false;
    if (!$isThere && !Capsule::schema()->hasTable(BROKERAPI_TABLE)) {
        Capsule::schema()->create(BROKERAPI_TABLE, function ($table): void {
            $table->increments('id');
            $table->integer('server');
            // 0: the row holds where the server's next rounds begin.
            $table->bigInteger('number');
            $table->integer('service');
            $table->integer('addon');
            $table->longText('record');
            $table->text('notice');
            // Whether something changes soon by itself; 1 where WHMCS does not show the record yet, 2 where it refused.
            $table->integer('open');
            $table->integer('unsettled');
            $table->integer('stage');
            $table->unique(['server', 'number']);
        });
    }
    $isThere = true;
    return Capsule::table(BROKERAPI_TABLE);
}

/**
 * Connects a service of the API with the product or add-on of WHMCS that is at hand.
 *
 * @param int $stage of one that is not connected yet
 */
function brokerapi_remember(array $params, array $service, int $stage = BROKERAPI_WELCOMED): void
{
    $own = brokerapi_product($params);
    $key = ['server' => (int) $params['serverid'], 'number' => $service['service_number']];
    // An earlier service of the same product has ended; another server record may lead to the same service.
    brokerapi_table()->where($own)->where('number', '!=', $service['service_number'])->delete();
    brokerapi_table()->where($own)->where('server', '!=', $key['server'])->delete();
    $new = brokerapi_table()->where($key)->where($own)->first() ? [] : ['notice' => '', 'stage' => $stage];
    brokerapi_table()->updateOrInsert($key, $own + $new + brokerapi_columns($service));
}

function brokerapi_columns(array $service): array
{
    $record = json_encode($service, JSON_THROW_ON_ERROR);
    return ['record' => $record, 'open' => (int) BrokerPanel::isOpen($service), 'unsettled' => 1];
}

/** The product or add-on of WHMCS, as rows of the copy name it. */
function brokerapi_product(array $params): array
{
    return ['service' => (int) $params['serviceid'], 'addon' => (int) ($params['addonId'] ?? 0)];
}

/** Refuses a service that another product has already; one that was ordered for this product is its own. */
function brokerapi_refuse_second(array $params, array $service): void
{
    if ($service['external_reference'] === brokerapi_reference($params)) {
        return;
    }
    $name = static fn(array $own) => $own['addon'] ? "add-on {$own['addon']}" : "product {$own['service']}";
    $own = brokerapi_product($params);
    foreach (brokerapi_table()->where('number', $service['service_number'])->get() as $row) {
        $other = ['service' => (int) $row->service, 'addon' => (int) $row->addon];
        // Servers of two operators can have the same numbers.
        $isSame = (int) $row->server === (int) $params['serverid']
            || (json_decode($row->record, true)['created_date'] ?? null) === $service['created_date'];
        if ($other !== $own && $isSame && brokerapi_in_whmcs($other)) {
            throw new BrokerRefusal("The service {$service['service_number']} is that of {$name($other)}; " .
                "{$name($own)} cannot have it, too. Correct its \"" . BROKERAPI_NUMBER . '"');
        }
    }
}

/** @return ?object the row of WHMCS's own table; null where the product was deleted */
function brokerapi_in_whmcs(array $own): ?object
{
    return $own['addon']
        ? Capsule::table('tblhostingaddons')->where('id', $own['addon'])->first()
        : Capsule::table('tblhosting')->where('id', $own['service'])->first();
}

/** After a change. Where the answer is lost, a later round brings the service. */
function brokerapi_refresh_copy(array $params, BrokerPanel $panel, int $number): void
{
    try {
        $service = $panel->read($number);
        brokerapi_remember($params, $service + ['action_names' => $panel->actionsUnderWay($service)]);
    } catch (BrokerError) {
        brokerapi_table()->where(['server' => (int) $params['serverid'], 'number' => $number])->update(['open' => 1]);
    }
}

/** @return ?array the copy of a product's service and the last `notice`; not checked, see `brokerapi_shown` */
function brokerapi_row(array $params): ?array
{
    $row = brokerapi_table()->where(brokerapi_product($params))->first();
    // Before 1.2 a notice was plain text.
    return $row ? [
        'service' => json_decode($row->record, true) + ['actions' => [], 'has_credentials' => false],
        'notice' => json_decode($row->notice) ?? $row->notice,
    ] : null;
}

/** Disk and transfer of each service, in the megabytes that WHMCS counts in. What was not measured stays as it is. */
function brokerapi_usage(array $params, Broker $broker): void
{
    $megabytes = static fn(string|int|null $given) => $given === null ? null : (int) round((float) $given * 1024);
    foreach ($broker->each('/v1/consumption') as $used) {
        $key = ['server' => (int) $params['serverid'], 'number' => $used['service_number'], 'addon' => 0];
        $row = brokerapi_table()->where($key)->first();
        if ($row) {
            $limits = json_decode($row->record, true)['specifications'];
            Capsule::table('tblhosting')->where('id', $row->service)->update(array_filter([
                'diskusage' => $megabytes($used['disk_gb_used']),
                'disklimit' => $megabytes($limits['disk_gb'] ?? null),
                'bwusage' => $megabytes($used['transfer_gb_used']),
                'bwlimit' => $megabytes($limits['transfer_gb'] ?? null),
                'lastupdate' => gmdate('Y-m-d H:i:s', strtotime($used['measured_date'])),
            ], static fn($value) => $value !== null));
        }
    }
}

/** A round of each server: all nightly, else those where something is under way. Two calls where little changed. */
function brokerapi_copy(bool $everyServer): void
{
    foreach (Capsule::table('tblservers')->where('type', 'brokerapi')->get() as $server) {
        $has = static fn(string $mark) => brokerapi_table()->where(['server' => $server->id, $mark => 1])->first();
        if (!$everyServer && !$has('open') && !$has('unsettled')) {
            continue;
        }
        try {
            $password = localAPI('DecryptPassword', ['password2' => $server->password])['password'] ?? '';
            $params = [
                'serverid' => (int) $server->id,
                'serverusername' => $server->username ?? '',
                'serverhostname' => $server->hostname,
                'serverip' => $server->ipaddress ?? '',
                'serverport' => $server->port ?? '',
                'serversecure' => $server->secure,
                'serverpassword' => $password,
            ];
            brokerapi_round($params, brokerapi_broker($params), $everyServer);
        } catch (Exception $error) {
            $why = brokerapi_explain($error);
            brokerapi_log_activity("the copy of server {$server->id} waits for the next round. $why");
        }
    }
}

function brokerapi_round(array $params, Broker $broker, bool $isNightly): void
{
    $server = $params['serverid'];
    $key = ['server' => $server, 'number' => 0];
    $stored = brokerapi_table()->where($key)->first();
    $first = ['services' => '2020-01-01', 'requests' => gmdate('Y-m-d\TH:i:s\Z', time() - 86400)];
    $since = $stored ? json_decode($stored->record, true) : $first;
    $find = static fn(int $number) => brokerapi_table()->where(['server' => $server, 'number' => $number])->first();
    $unknown = $isNightly ? brokerapi_unknown($params) : [];
    $keep = static function (array $service) use ($find, $broker, &$unknown): void {
        foreach ($unknown[$service['service_number']] ?? [] as $own) {
            brokerapi_adopt($own, $service, $broker);
        }
        unset($unknown[$service['service_number']]);
        $row = $find($service['service_number']);
        if ($row) {
            $known = json_decode($row->record, true);
            // Lists do not have the actions of the plan.
            $record = $known['plan']['id'] === $service['plan']['id']
                ? $service + $known
                : $broker->get("/v1/services/{$service['service_number']}")['data'];
            brokerapi_table()->where('id', $row->id)->update(brokerapi_columns($record));
        }
    };
    // After a loss of the operator's records every request comes once more.
    $second = static fn(?string $date) => substr((string) $date, 0, 19);
    $isOld = static fn(array $request) => $second($request['processed_date']) < $second($since['requests']);
    $report = static function (array $request) use ($find, $isOld): void {
        $row = brokerapi_is_news($request) && !$isOld($request) ? $find($request['service_number']) : null;
        try {
            if ($row) {
                brokerapi_report($row, $request);
            }
        } catch (Exception $error) {
            // Such as a character that the database has not: the others are reported.
            brokerapi_log_activity("request {$request['request_id']} could not be reported: {$error->getMessage()}");
        }
    };
    $adopts = $unknown !== [];
    // What is adopted may not have changed for long: the date alone goes back.
    $date = strcspn($since['services'], ' ');
    $from = $adopts ? substr_replace($since['services'], $first['services'], 0, $date) : $since['services'];
    $known = static fn() => array_column(brokerapi_copied($server), 'number');
    $next = [
        'services' => $broker->changes('/v1/services', $from, $keep, $known, brokerapi_mark_unmet($server)),
        'requests' => $broker->changes('/v1/requests', $since['requests'], $report),
    ];
    $next['plans'] = $since['plans'] ?? '';
    foreach ($unknown as $number => $products) {
        foreach ($products as $own) {
            $which = $own['addonId'] ? "add-on {$own['addonId']}" : "product {$own['serviceid']}";
            brokerapi_log_activity("$which: there is no service $number");
        }
    }
    if ($adopts || $next['plans'] < gmdate('Y-m-d', time() - 7 * 86400)) {
        brokerapi_renew_offers($server, $broker);
        $next['plans'] = gmdate('Y-m-d');
    }
    $none = ['service' => 0, 'addon' => 0, 'notice' => '', 'open' => 0, 'unsettled' => 0, 'stage' => 0];
    brokerapi_table()->updateOrInsert($key, ['record' => json_encode($next)] + $none);
    foreach (brokerapi_table()->where('server', $server)->where('unsettled', '!=', 0)->get() as $row) {
        brokerapi_settle($row, $params);
    }
}

/** @return object[] the rows of a server's services */
function brokerapi_copied(int $server): array
{
    $rows = [];
    foreach (brokerapi_table()->where('server', $server)->where('number', '!=', 0)->get() as $row) {
        $row->number = (int) $row->number;
        $rows[] = $row;
    }
    return $rows;
}

/** After a loss of the operator's records: staff have to know which services those lack. Nothing is deleted. */
function brokerapi_mark_unmet(int $server): callable
{
    return static function (array $numbers) use ($server): void {
        foreach (brokerapi_copied($server) as $row) {
            $notice = json_encode("The operator's records lack the service: ask the operator, and delete nothing");
            if (in_array($row->number, $numbers, true) && $row->notice !== $notice) {
                brokerapi_table()->where('id', $row->id)->update(['notice' => $notice]);
                $what = $row->addon ? "add-on $row->addon" : "product $row->service";
                brokerapi_log_activity("service $row->number ($what): " . json_decode($notice));
            }
        }
    };
}

/**
 * Products of a server that have a number and no copy yet, as Server Sync leaves them.
 *
 * @return array<int, array[]> parameters of each, by the numbers
 */
function brokerapi_unknown(array $params): array
{
    $known = [];
    foreach (brokerapi_table()->where('server', $params['serverid'])->get() as $row) {
        $known["$row->service/$row->addon"] = true;
    }
    $unknown = [];
    foreach (['product' => 'tblhosting', 'addon' => 'tblhostingaddons'] as $type => $table) {
        $products = [];
        foreach (Capsule::table($table)->where('server', $params['serverid'])->get() as $product) {
            if (in_array($product->domainstatus ?? $product->status, ['Active', 'Suspended'], true)) {
                $products[$product->id] = $product;
            }
        }
        foreach (Capsule::table('tblcustomfields')->where('type', $type)->get() as $field) {
            // A name can have another one for the reader behind it.
            if (explode('|', $field->fieldname)[0] !== BROKERAPI_NUMBER) {
                continue;
            }
            foreach (Capsule::table('tblcustomfieldsvalues')->where('fieldid', $field->id)->get() as $value) {
                $product = $products[$value->relid] ?? null;
                if ($product && (int) $value->value > 0) {
                    $own = brokerapi_params_of($params, $product);
                    $isKnown = isset($known["{$own['serviceid']}/{$own['addonId']}"]);
                    $unknown[(int) $value->value] = [...$unknown[(int) $value->value] ?? [], ...$isKnown ? [] : [$own]];
                }
            }
        }
    }
    return array_filter($unknown);
}

/** What WHMCS gives functions of the module, as far as it says whose a service is. */
function brokerapi_params_of(array $params, object $product): array
{
    $client = Capsule::table('tblclients')->where('id', $product->userid)->first();
    $isAddon = isset($product->hostingid);
    $own = ['serviceid' => (int) ($isAddon ? $product->hostingid : $product->id)];
    $own['addonId'] = $isAddon ? (int) $product->id : 0;
    return $own + ['clientsdetails' => ['email' => $client->email ?? '']] + $params;
}

function brokerapi_adopt(array $params, array $service, Broker $broker): void
{
    try {
        $panel = new BrokerPanel($broker, brokerapi_reference($params), $params['clientsdetails']['email']);
        $panel->own($service);
        brokerapi_refuse_second($params, $service);
        brokerapi_remember($params, $service);
    } catch (BrokerRefusal $refusal) {
        $which = $params['addonId'] ? "add-on {$params['addonId']}" : "product {$params['serviceid']}";
        brokerapi_log_activity("$which: {$refusal->getMessage()}");
    }
}

/** What the operator has changed in a plan changes no service's date: the actions of each are read once a week. */
function brokerapi_renew_offers(int $server, Broker $broker): void
{
    $plans = array_column(iterator_to_array($broker->each('/v1/plans'), false), null, 'id');
    foreach (brokerapi_table()->where('server', $server)->where('number', '!=', 0)->get() as $row) {
        $service = json_decode($row->record, true);
        $plan = $plans[$service['plan']['id']] ?? null;
        // A list of services has no actions; those of a plan that is sold no more are in the service's record.
        $offer = $plan ?? (isset($service['actions']) ? null : $broker->get("/v1/services/$row->number")['data']);
        if ($offer) {
            $offer = ['actions' => $offer['actions'], 'has_credentials' => $offer['has_credentials']];
            $record = json_encode($offer + $service, JSON_THROW_ON_ERROR);
            brokerapi_table()->where('id', $row->id)->update(['record' => $record]);
        }
    }
}

/** Whether staff have to know: what the panel, or staff with its key, took back or denied is no news. */
function brokerapi_is_news(array $request): bool
{
    return match ($request['request_status']) {
        'failed' => !in_array($request['failure']['reason'] ?? '', ['withdrawn', 'superseded'], true),
        'denied' => ($request['decision']['decided_by'] ?? '') === 'operator',
        default => false,
    };
}

/** Work that was denied or failed: staff have to know, because WHMCS shows and bills what was asked for. */
function brokerapi_report(object $row, array $request): void
{
    $why = $request['failure']['message'] ?? $request['decision']['reason'] ?? 'no reason is given';
    $when = substr((string) $request['processed_date'], 0, 16);
    $notice = "$when {$request['type']} {$request['request_status']}: $why";
    // As JSON it is ASCII, which every database takes.
    $stored = json_encode($notice, JSON_THROW_ON_ERROR);
    // Rounds overlap by a minute.
    if ($stored !== $row->notice) {
        brokerapi_table()->where('id', $row->id)->update(['notice' => $stored]);
        $what = $row->addon ? "add-on $row->addon" : "product $row->service";
        brokerapi_log_activity("service {$request['service_number']} ($what): $notice");
    }
}

/** Into the activity log, whose table may have three bytes for a character. */
function brokerapi_log_activity(string $text): void
{
    $text = str_replace(['<', '>'], ['[', ']'], $text);
    logActivity('Broker API: ' . (preg_replace('/[^\x{0}-\x{FFFF}]/u', '?', $text) ?? 'a text that cannot be shown'));
}

/** Brings WHMCS to what the API says of a service, and welcomes its client. What WHMCS refuses waits for the night. */
function brokerapi_settle(object $row, array $params): void
{
    $service = json_decode($row->record, true);
    $isBuilt = in_array($service['service_status'], ['active', 'suspended'], true);
    $stage = max((int) $row->stage, $isBuilt ? BROKERAPI_DELIVERED : BROKERAPI_NEW);
    $own = brokerapi_in_whmcs(['service' => $row->service, 'addon' => (int) $row->addon]);
    try {
        if ($own) {
            $product = brokerapi_params_of($params, $own);
            $email = $product['clientsdetails']['email'];
            (new BrokerPanel(brokerapi_broker($params), brokerapi_reference($product), $email))->own($service);
            $changes = brokerapi_changes($row, $own, $service, $stage);
            if ($changes) {
                $row->addon
                    ? brokerapi_local('UpdateClientAddon', ['id' => $row->addon] + $changes)
                    : brokerapi_local('UpdateClientProduct', ['serviceid' => $row->service] + $changes);
            }
            $isReachable = $service['service_status'] === 'active' && $service['access'];
            if (!$row->addon && $stage === BROKERAPI_DELIVERED && $isReachable) {
                $template = Capsule::table('tblproducts')->where('id', $own->packageid)->first()->configoption2 ?? '';
                if ($template !== '') {
                    brokerapi_local('SendEmail', ['messagename' => $template, 'id' => $row->service]);
                }
                $stage = BROKERAPI_WELCOMED;
            }
        }
        brokerapi_table()->where('id', $row->id)->update(['unsettled' => 0, 'stage' => $stage]);
    } catch (Exception $error) {
        brokerapi_table()->where('id', $row->id)->update(['unsettled' => 2]);
        brokerapi_log_activity("service {$row->number}: {$error->getMessage()}");
    }
}

/** What WHMCS shows otherwise than the API: the status of what is delivered, and how its client reaches it. */
function brokerapi_changes(object $row, object $own, array $service, int $stage): array
{
    $before = (array) $own + ['status' => $own->domainstatus ?? '', 'serviceusername' => $own->username ?? ''];
    $after = [];
    if (in_array($before['status'], ['Active', 'Suspended'], true)) {
        // What ended before it was delivered can be created anew.
        $ended = $stage === BROKERAPI_NEW ? 'Pending' : 'Terminated';
        $names = ['active' => 'Active', 'suspended' => 'Suspended', 'cancelled' => $ended, 'terminated' => $ended];
        $after['status'] = $names[BrokerPanel::status($service)] ?? '';
    }
    if (!$row->addon && $service['access']) {
        $addresses = $service['access']['ip_addresses'];
        $after['dedicatedip'] = $addresses[0] ?? '';
        $after['assignedips'] = implode("\n", array_slice($addresses, 1));
        $after['serviceusername'] = $service['access']['username'];
        $after['domain'] = $service['access']['hostname'];
    }
    $isNew = static fn(?string $value, string $name) => $value && $value !== ($before[$name] ?? '');
    return array_filter($after, $isNew, ARRAY_FILTER_USE_BOTH);
}

function brokerapi_local(string $command, array $values): void
{
    $answer = localAPI($command, $values);
    if (($answer['result'] ?? '') !== 'success') {
        throw new BrokerRefusal("WHMCS refused $command: " . ($answer['message'] ?? 'no reason is given'));
    }
}
