<?php
/** Buttons and pages of the module: for staff in the admin area, for clients on the page of their product. */
declare(strict_types=1);

/** Actions that panels know, by the names of their buttons in the admin area where no plan is at hand. */
const BROKERAPI_BUTTONS = [
    'Start' => 'start',
    'Stop' => 'stop',
    'Restart' => 'reboot',
    'Reinstall' => 'reinstall',
    'Reset password' => 'reset_password',
    'Console' => 'console',
];

/** The action that changes options: WHMCS bills them, so it is the module's own tool, for Change Package. */
const BROKERAPI_OWN_ACTION = 'reconfigure';

/** How long a page waits for the console's link before it asks anew, in seconds. */
const BROKERAPI_CONSOLE_PATIENCE = 5;

/** Those of the service's plan, under the plan's names, where WHMCS says which service it is. */
function brokerapi_AdminCustomButtonArray(array $params = []): array
{
    $row = isset($params['serviceid']) ? brokerapi_row($params) : null;
    $names = $row ? array_column($row['service']['actions'], 'name', 'display_name') : BROKERAPI_BUTTONS;
    return array_intersect($names, BROKERAPI_BUTTONS) + ['Read again' => 'refresh'];
}

/** The client's page has a button for each action; WHMCS adds none, so that each stands there once. */
function brokerapi_ClientAreaAllowedFunctions(): array
{
    return ['action', 'credentials', 'console'];
}

function brokerapi_start(array $params): string|array { return brokerapi_act($params, 'start'); }
function brokerapi_stop(array $params): string|array { return brokerapi_act($params, 'stop'); }
function brokerapi_reboot(array $params): string|array { return brokerapi_act($params, 'reboot'); }
function brokerapi_reinstall(array $params): string|array { return brokerapi_act($params, 'reinstall'); }
function brokerapi_reset_password(array $params): string|array { return brokerapi_act($params, 'reset_password'); }

/** For a client the page that waits for the console he has asked for. */
function brokerapi_console(array $params): string|array
{
    $isAskedFor = !defined('ADMINAREA') && isset($_SESSION['brokerapi_console'][brokerapi_place($params)]);
    return $isAskedFor ? brokerapi_open_console($params) : brokerapi_act($params, 'console');
}

/** Any action of the plan, from the client's page. */
function brokerapi_action(array $params): string|array
{
    return brokerapi_act($params, (string) ($_REQUEST['broker_action'] ?? ''));
}

/**
 * Submits an action. A client's is done where it was sent by a form with the session's proof; anything else, such as a
 * link, leads to the page that asks. Staff press the button of an action that destroys data twice.
 */
function brokerapi_act(array $params, string $name): string|array
{
    $forStaff = defined('ADMINAREA');
    try {
        $panel = brokerapi_panel($params, true);
        $service = brokerapi_shown($params) ?? brokerapi_own($params, $panel);
        $action = array_column($service['actions'] ?? [], null, 'name')[$name] ?? null;
        if (!$action || ($name === BROKERAPI_OWN_ACTION && !$forStaff)) {
            throw new BrokerRefusal("This service has no action \"$name\"");
        }
        // What WHMCS sells stays as it was sold.
        $free = BrokerPanel::without($action['options'], array_keys($params['configoptions'] ?? []));
        if (!$forStaff && !brokerapi_is_confirmed($params, $name)) {
            return brokerapi_question($params, $service, ['options' => $free] + $action);
        }
        if ($forStaff && $action['destroys_data'] && !brokerapi_is_pressed_again($service['service_number'], $name)) {
            return "{$action['display_name']} destroys the data of this service. Press again within two minutes";
        }
        $given = $forStaff ? [] : $_POST['broker_options'] ?? [];
        $given = is_array($given) ? array_filter($given, 'is_string') : [];
        $given = array_intersect_key($given, array_column($free, null, 'name'));
        $request = $panel->act($service['service_number'], $name, $given);
        brokerapi_refresh_copy($params, $panel, $service['service_number']);
        brokerapi_log($params, $name, 'success');
        if ($name === 'console' && !$forStaff) {
            $_SESSION['brokerapi_console'][brokerapi_place($params)] = $request;
            return brokerapi_open_console($params);
        }
        return 'success';
    } catch (Exception $error) {
        brokerapi_log($params, $name, brokerapi_explain($error));
        return $forStaff ? brokerapi_explain($error) : brokerapi_for_client($params, $error);
    }
}

/** The page that asks, with the action's options that the client may choose. */
function brokerapi_question(array $params, array $service, array $action): array
{
    return brokerapi_page($params, 'confirm', $action['display_name'], [
        'action' => $action,
        'current' => $service['configuration'],
        'proof' => brokerapi_proof($params, $action['name']),
    ]);
}

/** Leads to the console once its link is there. */
function brokerapi_open_console(array $params): string|array
{
    $asked = $_SESSION['brokerapi_console'][brokerapi_place($params)];
    $page = ['url' => '', 'again' => brokerapi_address($params) . '&modop=custom&a=console'];
    try {
        $panel = brokerapi_panel($params, true);
        $service = brokerapi_own($params, $panel) ?? throw new BrokerRefusal('There is no service of this product');
        $request = $panel->follow($asked, BROKERAPI_CONSOLE_PATIENCE, 1);
        $name = $request['action']['display_name'];
        if (!$request['is_final']) {
            return brokerapi_page($params, 'console', $name, $page);
        }
        unset($_SESSION['brokerapi_console'][brokerapi_place($params)]);
        brokerapi_refresh_copy($params, $panel, $service['service_number']);
        $isDone = $request['request_status'] === 'completed';
        $url = $isDone ? BrokerPanel::loginLink(brokerapi_shown($params)) : '';
        return $url === ''
            ? brokerapi_translator($params)('There is no console to open')
            : brokerapi_page($params, 'console', $name, ['url' => $url] + $page);
    } catch (Exception $error) {
        unset($_SESSION['brokerapi_console'][brokerapi_place($params)]);
        brokerapi_log($params, 'console', brokerapi_explain($error));
        return brokerapi_for_client($params, $error);
    }
}

/** Read at this moment, and neither stored nor logged. */
function brokerapi_credentials(array $params): string|array
{
    try {
        $panel = brokerapi_panel($params, true);
        $service = brokerapi_own($params, $panel) ?? throw new BrokerRefusal('There is no service of this product');
        $vars = ['credentials' => $panel->credentials($service)];
        return brokerapi_page($params, 'credentials', brokerapi_translator($params)('Credentials'), $vars);
    } catch (Exception $error) {
        brokerapi_log($params, 'credentials', brokerapi_explain($error));
        return brokerapi_for_client($params, $error);
    }
}

function brokerapi_ServiceSingleSignOn(array $params): array
{
    try {
        $panel = brokerapi_panel($params, true);
        $url = BrokerPanel::loginLink(brokerapi_own($params, $panel));
        return $url === ''
            ? ['success' => false, 'errorMsg' => brokerapi_translator($params)('There is no control panel')]
            : ['success' => true, 'redirectTo' => $url];
    } catch (Exception $error) {
        brokerapi_log($params, 'ServiceSingleSignOn', brokerapi_explain($error));
        return ['success' => false, 'errorMsg' => brokerapi_for_client($params, $error)];
    }
}

function brokerapi_AdminServicesTabFields(array $params): array
{
    try {
        $service = brokerapi_shown($params) ?? brokerapi_first_copy($params);
    } catch (Exception $error) {
        return ['Broker API' => htmlspecialchars(BrokerPanel::explain($error), ENT_QUOTES)];
    }
    if (!$service) {
        return ['Broker API' => 'No service is known yet'];
    }
    $expected = $service['expected'];
    $access = $service['access'] ?? ['hostname' => null, 'ip_addresses' => []];
    $state = BrokerPanel::state(['expected' => null] + $service);
    $texts = [
        'Broker service' => "{$service['service_number']} ({$service['plan']['display_name']}, $state)",
        'Expected' => $expected ? "{$expected['plan']['display_name']}, " . BrokerPanel::state($service) : '',
        'Under way' => implode('; ', BrokerPanel::underWay($service, null, $service['action_names'] ?? [])),
        'Addresses' => implode(', ', array_filter([$access['hostname'], ...$access['ip_addresses']])),
        'Login link' => BrokerPanel::loginLink($service),
        'Last refusal' => (string) brokerapi_row($params)['notice'],
    ];
    return array_map(static fn(string $text) => htmlspecialchars($text, ENT_QUOTES), array_filter($texts));
}

/** The whole overview: the theme's own shows the API's address as the server's for most types of products. */
function brokerapi_ClientArea(array $params): array
{
    try {
        $service = brokerapi_shown($params) ?? brokerapi_first_copy($params);
    } catch (Exception $error) {
        brokerapi_log($params, 'ClientArea', brokerapi_explain($error));
        $service = null;
    }
    $translate = brokerapi_translator($params);
    $isActive = ($service['service_status'] ?? '') === 'active';
    $actions = array_values(array_filter(
        $isActive ? $service['actions'] : [],
        static fn(array $action) => $action['name'] !== BROKERAPI_OWN_ACTION,
    ));
    foreach ($actions as $place => $action) {
        // One that asks for nothing is done at once.
        $asks = $action['destroys_data'] || $action['options'];
        $actions[$place]['proof'] = $asks ? '' : brokerapi_proof($params, $action['name']);
    }
    return [
        'tabOverviewReplacementTemplate' => 'clientarea.tpl',
        'templateVariables' => [
            'broker' => $service ? [
                'status' => $service['service_status'],
                'state' => BrokerPanel::state(['expected' => null] + $service, $translate),
                'underway' => BrokerPanel::underWay($service, $translate, $service['action_names'] ?? []),
                'access' => $service['access'] ?? null,
                'loginurl' => BrokerPanel::loginLink($service),
                'actions' => $actions,
                'hascredentials' => $isActive && $service['has_credentials'],
            ] : null,
            'text' => brokerapi_texts($params),
            'own' => brokerapi_address($params),
            'renewal' => brokerapi_renewal($params),
            'serviceid' => $params['serviceid'],
        ],
    ];
}

/** Where WHMCS lets clients pay before it is due; versions that do not have no such route. */
function brokerapi_renewal(array $params): string
{
    try {
        return function_exists('routePath') ? (string) routePath('service-renewals-service', $params['serviceid']) : '';
    } catch (Throwable) {
        return '';
    }
}

/**
 * The copy of the product's service, if it is the product's; else it is refused. Null where there is no copy, or one of
 * the service that staff had connected before.
 */
function brokerapi_shown(array $params): ?array
{
    $service = brokerapi_row($params)['service'] ?? null;
    return $service && $service['service_number'] === brokerapi_stored_number($params)
        ? brokerapi_panel($params, true)->own($service)
        : null;
}

/** Of a service that staff connected by its number and that no round has brought yet; null where it cannot be had. */
function brokerapi_first_copy(array $params): ?array
{
    try {
        $panel = brokerapi_panel($params, true);
        $service = brokerapi_stored_number($params) ? brokerapi_stored($params, $panel) : null;
        if ($service) {
            brokerapi_remember($params, $service);
        }
        return $service;
    } catch (InvalidArgumentException | BrokerError) {
        // The server record has no key, or nothing answers.
        return null;
    }
}

function brokerapi_page(array $params, string $template, string $title, array $vars): array
{
    $own = brokerapi_address($params);
    $vars += ['id' => $params['serviceid'], 'own' => $own, 'text' => brokerapi_texts($params)];
    // The theme prints it as it is.
    $breadcrumb = [$own => htmlspecialchars($title, ENT_QUOTES)];
    return ['templatefile' => $template, 'breadcrumb' => $breadcrumb, 'vars' => $vars];
}

function brokerapi_address(array $params): string
{
    return "clientarea.php?action=productdetails&id={$params['serviceid']}";
}

function brokerapi_place(array $params): string
{
    return "{$params['serviceid']}/" . (int) ($params['addonId'] ?? 0);
}

/** Whether a form of this session was sent; a form of another site cannot know its proof, and a link has none. */
function brokerapi_is_confirmed(array $params, string $action): bool
{
    $given = $_POST['broker_proof'] ?? '';
    return ($_SERVER['REQUEST_METHOD'] ?? '') === 'POST'
        && is_string($given) && hash_equals(brokerapi_proof($params, $action), $given);
}

function brokerapi_proof(array $params, string $action): string
{
    $what = session_id() . '/' . brokerapi_place($params) . "/$action";
    return hash_hmac('sha256', $what, (string) $params['serverpassword']);
}

function brokerapi_is_pressed_again(int $number, string $action): bool
{
    [$asked, $at] = $_SESSION['brokerapi_asked'] ?? ['', 0];
    $isAgain = $asked === "$number/$action" && time() - $at <= 120;
    $_SESSION['brokerapi_asked'] = $isAgain ? ['', 0] : ["$number/$action", time()];
    return $isAgain;
}

/** A client needs no codes and addresses; staff find them in the module log. */
function brokerapi_for_client(array $params, Exception $error): string
{
    return brokerapi_translator($params)(match ($error instanceof BrokerError ? $error->reason : '') {
        'service_not_active' => 'Possible for an active server only',
        'action_in_progress' => 'Something else is being done',
        'credentials_not_available' => 'There are no credentials to show',
        default => 'Not possible at the moment',
    });
}
