<?php
/** Buttons and pages of the module: for staff in the admin area, for clients on the page of their product. */
declare(strict_types=1);

/** Actions that panels know: each is a button and a function of this name. The client's page shows any others, too. */
const BROKERAPI_BUTTONS = [
    'Start' => 'start',
    'Stop' => 'stop',
    'Restart' => 'reboot',
    'Reinstall' => 'reinstall',
    'Reset password' => 'reset_password',
    'Console' => 'console',
];

function brokerapi_AdminCustomButtonArray(array $params = []): array
{
    return brokerapi_buttons($params) + ['Read again' => 'refresh'];
}

function brokerapi_ClientAreaCustomButtonArray(array $params = []): array
{
    return brokerapi_buttons($params) + ['Show credentials' => 'credentials'];
}

function brokerapi_ClientAreaAllowedFunctions(): array
{
    return ['action', 'credentials', ...array_values(BROKERAPI_BUTTONS)];
}

/** Those of the service's plan, where WHMCS says which service it is. */
function brokerapi_buttons(array $params): array
{
    $row = isset($params['serviceid']) ? brokerapi_row($params) : null;
    return $row ? array_intersect(BROKERAPI_BUTTONS, array_column($row['service']['actions'], 'name')) : BROKERAPI_BUTTONS;
}

function brokerapi_start(array $params): string|array { return brokerapi_act($params, 'start'); }
function brokerapi_stop(array $params): string|array { return brokerapi_act($params, 'stop'); }
function brokerapi_reboot(array $params): string|array { return brokerapi_act($params, 'reboot'); }
function brokerapi_reinstall(array $params): string|array { return brokerapi_act($params, 'reinstall'); }
function brokerapi_reset_password(array $params): string|array { return brokerapi_act($params, 'reset_password'); }
function brokerapi_console(array $params): string|array { return brokerapi_act($params, 'console'); }

/** Any action of the plan, from the client's page. */
function brokerapi_action(array $params): string|array
{
    return brokerapi_act($params, (string) ($_POST['broker_action'] ?? ''));
}

/** Submits an action. Where it destroys data or has options a page asks the client first; staff press the button again. */
function brokerapi_act(array $params, string $name): string|array
{
    $forStaff = defined('ADMINAREA');
    try {
        $panel = brokerapi_panel($params, true);
        $number = brokerapi_number($params, $panel);
        $service = brokerapi_row($params)['service'] ?? $panel->read($number);
        $action = array_column($service['actions'], null, 'name')[$name]
            ?? throw new BrokerRefusal("This service has no action \"$name\"");
        $isDestroying = $action['destroys_data'];
        if (!$forStaff && ($isDestroying || $action['options']) && !brokerapi_is_confirmed($params, $name)) {
            $vars = ['action' => $action, 'current' => $service['configuration'], 'proof' => brokerapi_proof($params, $name)];
            return brokerapi_page($params, 'confirm', $action['display_name'], $vars);
        }
        if ($forStaff && $isDestroying && !brokerapi_is_pressed_again($number, $name)) {
            return "{$action['display_name']} destroys the data of this service. Press again within two minutes to do it";
        }
        $given = $forStaff ? [] : $_POST['broker_options'] ?? [];
        $panel->act($number, $name, is_array($given) ? array_filter($given, 'is_string') : []);
        brokerapi_refresh_copy($params, $panel, $number);
        brokerapi_log($params, $name, 'success');
        return 'success';
    } catch (Exception $error) {
        brokerapi_log($params, $name, BrokerPanel::explain($error));
        return $forStaff ? BrokerPanel::explain($error) : brokerapi_for_client($error);
    }
}

/** Read at this moment, and neither stored nor logged. */
function brokerapi_credentials(array $params): string|array
{
    try {
        $panel = brokerapi_panel($params, true);
        $credentials = $panel->credentials(brokerapi_number($params, $panel));
        return brokerapi_page($params, 'credentials', 'Credentials', ['credentials' => $credentials]);
    } catch (Exception $error) {
        brokerapi_log($params, 'credentials', BrokerPanel::explain($error));
        return brokerapi_for_client($error);
    }
}

function brokerapi_ServiceSingleSignOn(array $params): array
{
    try {
        $panel = brokerapi_panel($params, true);
        $url = brokerapi_link($panel->read(brokerapi_number($params, $panel)));
        return $url === ''
            ? ['success' => false, 'errorMsg' => 'There is no control panel to sign in to, or not yet.']
            : ['success' => true, 'redirectTo' => $url];
    } catch (Exception $error) {
        brokerapi_log($params, 'ServiceSingleSignOn', BrokerPanel::explain($error));
        return ['success' => false, 'errorMsg' => brokerapi_for_client($error)];
    }
}

function brokerapi_AdminServicesTabFields(array $params): array
{
    $row = brokerapi_row($params) ?? brokerapi_first_copy($params);
    if (!$row) {
        return ['Broker API' => 'No service is known yet'];
    }
    $service = $row['service'];
    $expected = $service['expected'];
    $access = $service['access'] ?? ['hostname' => null, 'ip_addresses' => []];
    $texts = [
        'Broker service' => "{$service['service_number']} ({$service['plan']['display_name']}, {$service['service_status']})",
        'Expected' => $expected ? "{$expected['plan']['display_name']}, {$expected['service_status']}" : '',
        'Under way' => implode('; ', BrokerPanel::underWay($service)),
        'Addresses' => implode(', ', array_filter([$access['hostname'], ...$access['ip_addresses']])),
        'Last refusal' => $row['notice'],
    ];
    return array_map(static fn(string $text) => htmlspecialchars($text, ENT_QUOTES), array_filter($texts));
}

function brokerapi_ClientArea(array $params): array
{
    $service = (brokerapi_row($params) ?? brokerapi_first_copy($params))['service'] ?? null;
    return brokerapi_page($params, 'clientarea', '', [
        'isknown' => $service !== null,
        'status' => $service['service_status'] ?? 'pending',
        'expected' => $service ? BrokerPanel::status($service) : 'pending',
        'underway' => $service ? BrokerPanel::underWay($service) : [],
        'access' => $service['access'] ?? null,
        'loginurl' => $service ? brokerapi_link($service) : '',
        'actions' => $service && $service['service_status'] === 'active' ? $service['actions'] : [],
        'hascredentials' => $service['has_credentials'] ?? false,
    ]);
}

/** Of a service that staff connected by its number and that no round has brought yet. */
function brokerapi_first_copy(array $params): ?array
{
    $number = brokerapi_stored_number($params);
    if ($number) {
        brokerapi_refresh_copy($params, brokerapi_panel($params, true), $number);
    }
    return $number ? brokerapi_row($params) : null;
}

function brokerapi_page(array $params, string $template, string $title, array $vars): array
{
    $own = "clientarea.php?action=productdetails&id={$params['serviceid']}";
    return ['templatefile' => $template, 'breadcrumb' => [$own => $title], 'vars' => $vars + ['id' => $params['serviceid']]];
}

/** Only what leads to a page: a link of another scheme could run a script. */
function brokerapi_link(array $service): string
{
    $url = $service['access']['login_url'] ?? '';
    return preg_match('~^https?://~i', (string) $url) ? $url : '';
}

/** Whether the client has answered the page that asks; a form of another site cannot know its proof. */
function brokerapi_is_confirmed(array $params, string $action): bool
{
    return hash_equals(brokerapi_proof($params, $action), (string) ($_POST['broker_proof'] ?? ''));
}

function brokerapi_proof(array $params, string $action): string
{
    return hash_hmac('sha256', session_id() . "/{$params['serviceid']}/$action", (string) $params['serverpassword']);
}

function brokerapi_is_pressed_again(int $number, string $action): bool
{
    [$asked, $at] = $_SESSION['brokerapi_asked'] ?? ['', 0];
    $isAgain = $asked === "$number/$action" && time() - $at <= 120;
    $_SESSION['brokerapi_asked'] = $isAgain ? ['', 0] : ["$number/$action", time()];
    return $isAgain;
}

/** A client needs no codes and addresses; staff find them in the module log. */
function brokerapi_for_client(Exception $error): string
{
    return match ($error instanceof BrokerError ? $error->reason : '') {
        'service_not_active' => 'This is possible for an active service only.',
        'action_in_progress' => 'Something else is being done at the moment. Please try again later.',
        'credentials_not_available' => 'There are no credentials to show.',
        default => 'This is not possible at the moment. Please try again later.',
    };
}
