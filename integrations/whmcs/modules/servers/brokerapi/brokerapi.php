<?php
/**
 * WHMCS provisioning module for the Broker API: PHP 8.1 or later. README.md says how it is set up.
 *
 * Functions that change something call the API; pages read a copy of the services (copy.php), so that views cost no
 * calls.
 */
declare(strict_types=1);

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

require_once __DIR__ . '/panel.php';
require_once __DIR__ . '/copy.php';
require_once __DIR__ . '/texts.php';
require_once __DIR__ . '/pages.php';

/** The custom field of a service that holds its number. Staff can fill it in to connect a service that exists. */
const BROKERAPI_NUMBER = 'Broker service number';

function brokerapi_MetaData(): array
{
    return [
        'DisplayName' => 'Broker API',
        'APIVersion' => '1.1',
        'RequiresServer' => true,
        'DefaultSSLPort' => '443',
        'ServiceSingleSignOnLabel' => 'Sign in to the control panel',
        'ListAccountsUniqueIdentifierDisplayName' => 'Service number',
        'ListAccountsUniqueIdentifierField' => 'customfield.' . BROKERAPI_NUMBER,
        'ListAccountsProductField' => 'configoption1',
    ];
}

function brokerapi_ConfigOptions(): array
{
    return [
        'plan' => [
            'FriendlyName' => 'Plan',
            'Type' => 'text',
            'Size' => '40',
            'Loader' => 'brokerapi_plans',
            'SimpleMode' => true,
        ],
        'welcome' => [
            'FriendlyName' => 'Welcome email',
            'Type' => 'text',
            'Size' => '40',
            'Description' => 'An email template, sent once the address is known. Set the one of WHMCS itself to None',
            'SimpleMode' => true,
        ],
    ];
}

/** The plans that can be sold, for the product's settings. WHMCS shows the message where it throws. */
function brokerapi_plans(array $params): array
{
    try {
        return array_column(brokerapi_panel($params)->plans(), 'display_name', 'slug');
    } catch (Exception $error) {
        throw new Exception(brokerapi_explain($error));
    }
}

function brokerapi_TestConnection(array $params): array
{
    try {
        BrokerPanel::panelName($params['serverusername'] ?? '');
        brokerapi_panel($params)->test('admin:full');
        brokerapi_panel($params, true)->test('services:operate', 'credentials:read');
        return ['success' => true, 'error' => ''];
    } catch (Exception $error) {
        return ['success' => false, 'error' => brokerapi_explain($error)];
    }
}

function brokerapi_CreateAccount(array $params): string
{
    return brokerapi_do($params, 'CreateAccount', function (BrokerPanel $panel) use ($params): void {
        $client = $params['clientsdetails'];
        $name = trim(($client['firstname'] ?? '') . ' ' . ($client['lastname'] ?? ''));
        $name = $name ?: ($client['companyname'] ?? '');
        // Where none is stored, the order itself finds what an earlier call has ordered.
        $service = brokerapi_stored($params, $panel);
        if (!$service || BrokerPanel::hasEnded($service)) {
            $service = $panel->read($panel->create(
                (string) ($params['configoption1'] ?? ''),
                ['name' => $name, 'email' => $client['email'] ?? ''],
                brokerapi_options($params),
                ($params['domain'] ?? '') ?: null,
            ));
        }
        brokerapi_remember($params, $service, BROKERAPI_NEW);
        try {
            $params['model']->serviceProperties->save([BROKERAPI_NUMBER => (string) $service['service_number']]);
        } catch (Throwable $error) {
            // Without it the service is found by its reference.
            $why = $error->getMessage();
            brokerapi_log_activity("the number {$service['service_number']} could not be stored: $why");
        }
    });
}

function brokerapi_SuspendAccount(array $params): string
{
    $reason = $params['suspendreason'] ?? null;
    $suspend = fn(BrokerPanel $panel, array $service) => $panel->suspend($service, $reason);
    return brokerapi_change($params, 'SuspendAccount', $suspend);
}

function brokerapi_UnsuspendAccount(array $params): string
{
    $unsuspend = fn(BrokerPanel $panel, array $service) => $panel->unsuspend($service);
    return brokerapi_change($params, 'UnsuspendAccount', $unsuspend);
}

function brokerapi_TerminateAccount(array $params): string
{
    return brokerapi_do($params, 'TerminateAccount', function (BrokerPanel $panel) use ($params): void {
        $service = brokerapi_own($params, $panel);
        // Without one nothing was ever ordered, or it has ended.
        if ($service) {
            $panel->terminate($service);
            brokerapi_refresh_copy($params, $panel, $service['service_number']);
        }
    });
}

/** Another product, or other configurable options. */
function brokerapi_ChangePackage(array $params): string
{
    [$plan, $options] = [(string) ($params['configoption1'] ?? ''), $params['configoptions'] ?? []];
    $change = fn(BrokerPanel $panel, array $own) => $panel->changePlan($own['service_number'], $plan, $options);
    return brokerapi_change($params, 'ChangePackage', $change);
}

/** Services renew by themselves until they are terminated. */
function brokerapi_Renew(array $params): string
{
    return 'success';
}

function brokerapi_UsageUpdate(array $params): string
{
    return brokerapi_do($params, 'UsageUpdate', fn() => brokerapi_usage($params, brokerapi_broker($params)));
}

function brokerapi_ListAccounts(array $params): array
{
    try {
        $accounts = [];
        foreach (['active' => 'Active', 'suspended' => 'Suspended'] as $status => $shown) {
            foreach (brokerapi_broker($params)->each('/v1/services', ['service_status' => $status]) as $service) {
                $access = $service['access'] ?? [];
                $accounts[] = [
                    'email' => $service['client']['email'] ?? '',
                    'username' => $access['username'] ?? '',
                    'domain' => $access['hostname'] ?? $service['label'] ?? '',
                    'uniqueIdentifier' => (string) $service['service_number'],
                    'product' => $service['plan']['slug'],
                    'primaryip' => $access['ip_addresses'][0] ?? '',
                    'created' => gmdate('Y-m-d H:i:s', strtotime($service['created_date'])),
                    'status' => $shown,
                ];
            }
        }
        return ['success' => true, 'accounts' => $accounts];
    } catch (Exception $error) {
        return ['success' => false, 'error' => brokerapi_explain($error)];
    }
}

function brokerapi_refresh(array $params): string
{
    return brokerapi_change($params, 'refresh', fn() => null);
}

/** The server's password is the key for all that changes; its access hash, if any, the key for clients' pages. */
function brokerapi_broker(array $params, bool $forClient = false, bool $isPatient = false): Broker
{
    $host = ($params['serverhostname'] ?? '') ?: ($params['serverip'] ?? '');
    $isSecure = in_array($params['serversecure'] ?? false, [true, 1, '1', 'on'], true);
    $pageKey = $forClient ? trim((string) ($params['serveraccesshash'] ?? '')) : '';
    return BrokerPanel::connect(
        BrokerPanel::address($host, $params['serverport'] ?? '', $isSecure),
        $pageKey ?: (string) ($params['serverpassword'] ?? ''),
        $forClient,
        $isPatient,
    );
}

function brokerapi_panel(array $params, bool $forClient = false, bool $isPatient = false): BrokerPanel
{
    $broker = brokerapi_broker($params, $forClient, $isPatient);
    $reference = isset($params['serviceid']) ? brokerapi_reference($params) : null;
    return new BrokerPanel($broker, $reference, $params['clientsdetails']['email'] ?? null);
}

/** The service in the API: names the installation and the product, or the add-on. */
function brokerapi_reference(array $params): string
{
    $addon = (int) ($params['addonId'] ?? 0);
    $panel = BrokerPanel::panelName($params['serverusername'] ?? '');
    return $panel . ($addon ? "-addon-$addon" : "-service-{$params['serviceid']}");
}

/** What the product's options may be: configurable options, custom fields, and the domain where it is a host name. */
function brokerapi_options(array $params): array
{
    $texts = ($params['configoptions'] ?? []) + ($params['customfields'] ?? []);
    return $texts + array_filter(['hostname' => BrokerPanel::hostName((string) ($params['domain'] ?? ''))]);
}

/**
 * The service of a product, and of no other one: every function that reads or changes a service begins here, or at the
 * product's row of the copy, which is checked alike. Null where nothing was ordered.
 */
function brokerapi_own(array $params, BrokerPanel $panel): ?array
{
    return brokerapi_stored($params, $panel) ?? $panel->find();
}

/** As staff see it, or from the copy; 0 where none is stored. */
function brokerapi_stored_number(array $params): int
{
    $stored = isset($params['model']) ? $params['model']->serviceProperties->get(BROKERAPI_NUMBER) : null;
    $stored = $stored ?: $params['customfields'][BROKERAPI_NUMBER] ?? null;
    return (int) ($stored ?: brokerapi_row($params)['service']['service_number'] ?? 0);
}

/** The service of the stored number, if it is this product's; null where no number is stored. */
function brokerapi_stored(array $params, BrokerPanel $panel): ?array
{
    $number = brokerapi_stored_number($params);
    try {
        $service = $number ? $panel->read($number) : null;
    } catch (BrokerError $error) {
        // As if there were none, a second one would be ordered, and Terminate would seem to be done.
        throw $error->errorCode !== 'not_found' ? $error : new BrokerRefusal("The key knows no service $number: " .
            'it is the key of another broker, or "' . BROKERAPI_NUMBER . '" is wrong');
    }
    if ($service) {
        brokerapi_refuse_second($params, $service);
    }
    return $service;
}

/** Runs a change of an existing service, and keeps what became of it for the pages. */
function brokerapi_change(array $params, string $function, callable $change): string
{
    return brokerapi_do($params, $function, function (BrokerPanel $panel) use ($params, $change): void {
        $service = brokerapi_own($params, $panel)
            ?? throw new BrokerRefusal('There is no service of this product; run Create first');
        $change($panel, $service);
        brokerapi_refresh_copy($params, $panel, $service['service_number']);
    });
}

/** @return string `success`, or what went wrong */
function brokerapi_do(array $params, string $function, callable $do): string
{
    try {
        $isPatient = in_array($function, ['CreateAccount', 'UnsuspendAccount'], true);
        $do(brokerapi_panel($params, isPatient: $isPatient));
        $answer = 'success';
    } catch (Exception $error) {
        $answer = brokerapi_explain($error);
    }
    brokerapi_log($params, $function, $answer);
    return $answer;
}

/** For staff. WHMCS prints some of it as it is, and a reference or a name of another system can hold anything. */
function brokerapi_explain(Throwable $error): string
{
    return str_replace(['<', '>'], ['[', ']'], BrokerPanel::explain($error));
}

function brokerapi_log(array $params, string $function, string $answer): void
{
    $names = ['serviceid', 'addonId', 'domain', 'configoption1', 'configoptions'];
    $asked = array_intersect_key($params, array_flip($names));
    $secrets = array_filter([$params['serverpassword'] ?? '', $params['serveraccesshash'] ?? '']);
    logModuleCall('brokerapi', $function, $asked, $answer, '', $secrets);
}
