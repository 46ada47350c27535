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
            // Whether something changes soon by itself; 1 where WHMCS does not show the record yet, 2 where it refused to.
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
    $own = ['service' => (int) $params['serviceid'], 'addon' => (int) ($params['addonId'] ?? 0)];
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

/** After a change. Where the answer is lost, a later round brings the service. */
function brokerapi_refresh_copy(array $params, BrokerPanel $panel, int $number): void
{
    try {
        brokerapi_remember($params, $panel->read($number));
    } catch (BrokerError) {
        brokerapi_table()->where(['server' => (int) $params['serverid'], 'number' => $number])->update(['open' => 1]);
    }
}

/** @return ?array `service` and `notice` */
function brokerapi_row(array $params): ?array
{
    $own = ['service' => (int) $params['serviceid'], 'addon' => (int) ($params['addonId'] ?? 0)];
    $row = brokerapi_table()->where($own)->first();
    return $row ? ['service' => json_decode($row->record, true), 'notice' => $row->notice] : null;
}

/** Disk and transfer of each service, in the megabytes that WHMCS counts in. What was not measured stays as it is. */
function brokerapi_usage(array $params, Broker $broker): void
{
    $megabytes = static fn(string|int|null $gigabytes) => $gigabytes === null ? null : (int) round((float) $gigabytes * 1024);
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

/** A round of each server: every one nightly, else those where something is under way. Two calls where little changed. */
function brokerapi_copy(bool $everyServer): void
{
    foreach (Capsule::table('tblservers')->where('type', 'brokerapi')->get() as $server) {
        $has = static fn(string $mark) => brokerapi_table()->where(['server' => $server->id, $mark => 1])->first();
        if (!$everyServer && !$has('open') && !$has('unsettled')) {
            continue;
        }
        try {
            $password = localAPI('DecryptPassword', ['password2' => $server->password])['password'] ?? '';
            brokerapi_round((int) $server->id, brokerapi_broker([
                'serverhostname' => $server->hostname,
                'serverip' => $server->ipaddress ?? '',
                'serverport' => $server->port ?? '',
                'serversecure' => $server->secure,
                'serverpassword' => $password,
            ]));
        } catch (Exception $error) {
            logActivity("Broker API: the copy of server {$server->id} waits for the next round. " . BrokerPanel::explain($error));
        }
    }
}

function brokerapi_round(int $server, Broker $broker): void
{
    $key = ['server' => $server, 'number' => 0];
    $stored = brokerapi_table()->where($key)->first();
    $first = ['services' => '2020-01-01', 'requests' => gmdate('Y-m-d\TH:i:s\Z', time() - 86400)];
    $since = $stored ? json_decode($stored->record, true) : $first;
    $find = static fn(int $number) => brokerapi_table()->where(['server' => $server, 'number' => $number])->first();
    $keep = static function (array $service) use ($find, $broker): void {
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
    $report = static function (array $request) use ($find): void {
        $isRefused = in_array($request['request_status'], ['failed', 'denied'], true);
        $row = $isRefused ? $find($request['service_number']) : null;
        // What the panel took back itself is no news.
        if ($row && !in_array($request['failure']['reason'] ?? '', ['withdrawn', 'superseded'], true)) {
            brokerapi_report($row, $request);
        }
    };
    $next = [
        'services' => $broker->changes('/v1/services', $since['services'], $keep),
        'requests' => $broker->changes('/v1/requests', $since['requests'], $report),
    ];
    $next['plans'] = $since['plans'] ?? '';
    if ($next['plans'] < gmdate('Y-m-d', time() - 7 * 86400)) {
        brokerapi_renew_offers($server, $broker);
        $next['plans'] = gmdate('Y-m-d');
    }
    $none = ['service' => 0, 'addon' => 0, 'notice' => '', 'open' => 0, 'unsettled' => 0, 'stage' => 0];
    brokerapi_table()->updateOrInsert($key, ['record' => json_encode($next)] + $none);
    foreach (brokerapi_table()->where('server', $server)->where('unsettled', '!=', 0)->get() as $row) {
        brokerapi_settle($row);
    }
}

/** What the operator has changed in a plan changes no service's date: the actions of each are read once a week. */
function brokerapi_renew_offers(int $server, Broker $broker): void
{
    $plans = array_column(iterator_to_array($broker->each('/v1/plans'), false), null, 'id');
    foreach (brokerapi_table()->where('server', $server)->where('number', '!=', 0)->get() as $row) {
        $service = json_decode($row->record, true);
        $plan = $plans[$service['plan']['id']] ?? null;
        if ($plan) {
            $offer = ['actions' => $plan['actions'], 'has_credentials' => $plan['has_credentials']];
            $record = json_encode($offer + $service, JSON_THROW_ON_ERROR);
            brokerapi_table()->where('id', $row->id)->update(['record' => $record]);
        }
    }
}

/** Work that was denied or failed: staff have to know, because WHMCS shows and bills what was asked for. */
function brokerapi_report(object $row, array $request): void
{
    $why = $request['failure']['message'] ?? $request['decision']['reason'] ?? 'no reason is given';
    $notice = substr((string) $request['processed_date'], 0, 16) . " {$request['type']} {$request['request_status']}: $why";
    // Rounds overlap by a minute.
    if ($notice !== $row->notice) {
        brokerapi_table()->where('id', $row->id)->update(['notice' => $notice]);
        $what = $row->addon ? "add-on $row->addon" : "product $row->service";
        logActivity("Broker API: service {$request['service_number']} ($what): $notice");
    }
}

/** Brings WHMCS to what the API says of a service, and welcomes its client. What WHMCS refuses waits for the night. */
function brokerapi_settle(object $row): void
{
    $service = json_decode($row->record, true);
    $isBuilt = in_array($service['service_status'], ['active', 'suspended'], true);
    $stage = max((int) $row->stage, $isBuilt ? BROKERAPI_DELIVERED : BROKERAPI_NEW);
    $table = $row->addon ? 'tblhostingaddons' : 'tblhosting';
    $own = Capsule::table($table)->where('id', $row->addon ?: $row->service)->first();
    try {
        if ($own) {
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
    } catch (BrokerRefusal $refusal) {
        brokerapi_table()->where('id', $row->id)->update(['unsettled' => 2]);
        logActivity("Broker API: service {$row->number}: {$refusal->getMessage()}");
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
