<?php
/**
 * The product type "Brokerapi" of FOSSBilling: PHP 8.2 or later. README.md says how it is set up.
 *
 * Written for the way in which FOSSBilling 0.7.2 and 0.8.5 call product types that are not their own (Order's
 * `_callOnService`): `create`, `activate` and so on, each with the order and the row of `service_brokerapi`.
 */
declare(strict_types=1);

namespace Box\Mod\Servicebrokerapi;

use BrokerError;
use BrokerPanel;
use BrokerRefusal;
use Exception;

require_once dirname(__DIR__, 2) . '/library/Brokerapi/panel.php';

class Service implements \FOSSBilling\InjectionAwareInterface
{
    /** The panel's own tool: clients would change paid options for nothing. */
    private const OF_PANEL = ['reconfigure'];
    private const PLANS_KEPT = 600;
    private const LOOK_AGAIN = 15;
    private const IN_ONE_ROUND = 200;

    protected ?\Pimple\Container $di = null;

    public function setDi(\Pimple\Container $di): void
    {
        $this->di = $di;
    }

    public function getDi(): ?\Pimple\Container
    {
        return $this->di;
    }

    public function install(): bool
    {
        $this->di['db']->exec('CREATE TABLE IF NOT EXISTS `service_brokerapi` (
            `id` bigint(20) NOT NULL AUTO_INCREMENT,
            `client_id` bigint(20) NOT NULL,
            `order_id` bigint(20) NOT NULL,
            `plan` varchar(255) NOT NULL,
            `options` text NOT NULL,
            `service_number` bigint(20) DEFAULT NULL,
            `record` mediumtext,
            `is_open` tinyint(1) NOT NULL DEFAULT 0,
            `is_mailed` tinyint(1) NOT NULL DEFAULT 0,
            `notice` text,
            `checked_at` datetime DEFAULT NULL,
            `created_at` datetime DEFAULT NULL,
            `updated_at` datetime DEFAULT NULL,
            PRIMARY KEY (`id`),
            UNIQUE KEY `order_id` (`order_id`),
            KEY `service_number` (`service_number`),
            KEY `checked_at` (`checked_at`)
            ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4');
        return true;
    }

    /** The services themselves stay as they are. */
    public function uninstall(): bool
    {
        $this->di['db']->exec('DROP TABLE IF EXISTS `service_brokerapi`');
        return true;
    }

    /** What the client chose at the order form is checked before it can be paid. */
    public function attachOrderConfig($product, array $data): array
    {
        $raw = method_exists($product, 'getConfig') ? $product->getConfig() : $product->config;
        $config = is_array($raw) ? $raw : (json_decode((string) $raw, true) ?? []);
        $given = is_array($data['brokerapi'] ?? null) ? $data['brokerapi'] : [];
        return ['brokerapi' => $this->chosen($config, $given)] + $data;
    }

    public function create($order)
    {
        $config = $this->productConfig((int) $order->product_id);
        $ordered = json_decode((string) $order->config, true) ?? [];
        $model = $this->di['db']->dispense('service_brokerapi');
        $model->client_id = $order->client_id;
        $model->order_id = $order->id;
        $model->plan = (string) ($config['plan'] ?? '');
        $model->options = json_encode((object) ($ordered['brokerapi'] ?? []));
        $model->service_number = $model->record = $model->notice = $model->checked_at = null;
        $model->is_open = $model->is_mailed = 0;
        $model->created_at = date('Y-m-d H:i:s');
        $this->store($model);
        return $model;
    }

    public function activate($order, $model): bool
    {
        return $this->attempt(function () use ($order, $model): void {
            if (!is_object($model)) {
                throw new BrokerRefusal('The order has no service yet');
            }
            $client = $this->client((int) $model->client_id);
            $chosen = json_decode((string) $model->options, true) ?? [];
            $panel = $this->panel($model, isPatient: true);
            $model->service_number = $panel->create(
                (string) $model->plan,
                ['name' => $client['name'], 'email' => $client['email']],
                [],
                (string) ($chosen['hostname'] ?? $order->title),
                $chosen,
            );
            // Those of an earlier service of this order.
            $model->record = null;
            $model->is_open = 1;
            $model->is_mailed = 0;
            $model->checked_at = null;
            $this->store($model);
        });
    }

    public function renew($order, $model): bool
    {
        return true;
    }

    public function suspend($order, $model): bool
    {
        return $this->change($model, fn(BrokerPanel $panel, int $number) => $panel->suspend($number, null));
    }

    public function unsuspend($order, $model): bool
    {
        $unsuspend = function (BrokerPanel $panel, int $number) use ($order, $model): void {
            $service = $panel->read($number);
            $panel->unsuspend($service);
            if (BrokerPanel::isOn($service, (string) $model->plan)) {
                return;
            }
            try {
                $panel->changePlanAfterSuspension($number, (string) $model->plan, []);
            } catch (Exception $error) {
                // The order is paid and runs again: it must not stay suspended here because of its plan.
                $why = BrokerPanel::explain($error);
                $this->note((int) $order->id, "The plan is still {$service['plan']['display_name']}. $why");
            }
        };
        return $this->change($model, $unsuspend, isPatient: true);
    }

    public function cancel($order, $model): bool
    {
        return $this->attempt(function () use ($model): void {
            $panel = $this->panel($model);
            $service = is_object($model) ? $this->find($panel, $model) : null;
            // Without one nothing was ordered, or it has ended, or is about to.
            if ($service) {
                $panel->terminate($service);
                $this->lookAgain($model);
            }
        });
    }

    public function uncancel($order, $model): bool
    {
        return $this->activate($order, $model);
    }

    public function delete($order, $model): void
    {
        if (is_object($model)) {
            if ($order->status !== 'canceled') {
                $this->cancel($order, $model);
            }
            $this->di['db']->trash($model);
        }
    }

    /** What templates and emails know of a service. For staff it names what clients need not know. */
    public function toApiArray($model, $deep = true, $identity = null): array
    {
        if ((int) $model->is_open === 1 && $identity !== null) {
            $this->refreshForPage($model);
        }
        $service = json_decode((string) $model->record, true);
        $access = $service['access'] ?? [];
        $isBuilt = $service && $service['service_status'] !== 'pending';
        $translate = Texts::translate(...);
        $view = [
            'id' => $model->id,
            'client_id' => $model->client_id,
            'order_id' => $model->order_id,
            'status' => $isBuilt ? BrokerPanel::status($service) : 'pending',
            'state' => $service ? BrokerPanel::state($service, $translate) : $translate('Being set up'),
            'plan' => $service['plan']['display_name'] ?? $model->plan,
            'under_way' => $service ? BrokerPanel::underWay($service, $translate, $service['names'] ?? []) : [],
            'hostname' => $access['hostname'] ?? null,
            'addresses' => $access['ip_addresses'] ?? [],
            'username' => $access['username'] ?? null,
            'login_url' => BrokerPanel::loginLink($service),
            'notes' => $access['notes'] ?? null,
            'has_credentials' => $service['has_credentials'] ?? false,
            'actions' => $service ? $this->actions($service, $model) : [],
            'texts' => Texts::all(),
        ];
        if ($identity instanceof \Model_Admin) {
            $view += [
                'service_number' => $model->service_number,
                'ordered_plan' => $model->plan,
                'options' => $service['configuration'] ?? json_decode((string) $model->options, true),
                'notice' => $model->notice,
                'checked_at' => $model->checked_at,
            ];
        }
        return $view;
    }

    /** The fields of a product's order form. Each is an option of its plan, with `value`: what it has at first. */
    public function form(int $productId): array
    {
        $config = $this->productConfig($productId);
        $asked = array_filter((array) ($config['ask'] ?? []));
        $options = array_intersect_key(array_column($this->options($config), null, 'name'), $asked);
        return array_map(static fn(array $option) => $option + ['value' => $option['default']], array_values($options));
    }

    /** Submits an action of the client. */
    public function act($model, string $name, array $texts, bool $isSure): bool
    {
        $act = function (BrokerPanel $panel, int $number) use ($model, $name, $texts, $isSure): void {
            $service = $panel->read($number);
            $action = array_column($this->actions($service, $model), null, 'name')[$name] ?? null;
            if (!$action) {
                throw new \FOSSBilling\InformationException(Texts::translate('This is not offered'));
            }
            if ($action['destroys_data'] && !$isSure) {
                throw new \FOSSBilling\InformationException(Texts::translate('Confirm that the data may be lost'));
            }
            foreach ($action['options'] as $option) {
                $value = BrokerPanel::configuration([$option], $texts)[$option['name']] ?? null;
                $fault = $value === null ? null : BrokerPanel::faultOf($option, $value, Texts::translate(...));
                if ($fault) {
                    throw new \FOSSBilling\InformationException($fault);
                }
            }
            $panel->act($number, $name, array_intersect_key($texts, array_column($action['options'], null, 'name')));
        };
        return $this->change($model, $act, forClient: true);
    }

    /** Never stored or logged. */
    public function credentials($model): array
    {
        try {
            return $this->panel($model, forClient: true)->credentials((int) $model->service_number);
        } catch (Exception $error) {
            throw $this->forClient($error);
        }
    }

    /** Another plan, which the service gets now, or with the end of its suspension. */
    public function changePlan($order, $model, string $plan): bool
    {
        return $this->attempt(function () use ($order, $model, $plan): void {
            if (!in_array($plan, array_column($this->plans(), 'slug'), true)) {
                throw new BrokerRefusal("There is no plan \"$plan\"");
            }
            if ($order->status === 'active') {
                $this->panel($model)->changePlan((int) $model->service_number, $plan, []);
            }
            $model->plan = $plan;
            $this->lookAgain($model);
        });
    }

    public function test(): bool
    {
        return $this->attempt(function (): void {
            $this->name();
            (new BrokerPanel($this->connect()))->test('admin:full');
        });
    }

    /** Reads the service now. */
    public function refresh($model): bool
    {
        return $this->change($model, fn(BrokerPanel $panel) => $this->read($panel, $model));
    }

    /** The plans that can be sold: kept for ten minutes, and for a day while the server does not answer. */
    public function plans(): array
    {
        $item = $this->di['cache']->getItem('brokerapi_plans');
        $kept = $item->isHit() ? $item->get() : null;
        if ($kept && $kept['at'] > time() - self::PLANS_KEPT) {
            return $kept['plans'];
        }
        $silence = $this->di['cache']->getItem('brokerapi_silence');
        if ($kept && $silence->isHit()) {
            return $kept['plans'];
        }
        try {
            $plans = (new BrokerPanel($this->connect(forClient: true)))->plans();
        } catch (Exception $error) {
            // The next views of order forms do not wait for it, too.
            $this->di['cache']->save($silence->set(true)->expiresAfter(60));
            return $kept ? $kept['plans'] : throw $error;
        }
        $this->di['cache']->save($item->set(['at' => time(), 'plans' => $plans])->expiresAfter(86400));
        return $plans;
    }

    /** Each run of cron reads what is under way or has changed; all others are read once a day. */
    public static function onAfterAdminCronRun(\Box_Event $event): void
    {
        $event->getDi()['mod_service']('servicebrokerapi')->round();
    }

    public function round(): void
    {
        try {
            $this->markChanged();
        } catch (Exception $error) {
            // The others wait for the next run, and so do cron's emails.
            error_log('Broker API: ' . BrokerPanel::explain($error));
            return;
        }
        $rows = $this->di['db']->find(
            'service_brokerapi',
            'service_number IS NOT NULL AND (is_open = 1 OR checked_at IS NULL OR checked_at < :day)
            ORDER BY is_open DESC, checked_at LIMIT ' . self::IN_ONE_ROUND,
            [':day' => date('Y-m-d H:i:s', time() - 86400)],
        );
        foreach ($rows as $model) {
            try {
                $this->read($this->panel($model), $model);
            } catch (Exception $error) {
                $model->notice = BrokerPanel::explain($error);
                $this->store($model);
                // Nothing answers, or the limit is reached.
                if ($error instanceof BrokerError && $error->fault() !== 'call') {
                    return;
                }
            }
        }
    }

    /** Lets the services be read that have changed since the last run: a call for a hundred of them. */
    private function markChanged(): void
    {
        $item = $this->di['cache']->getItem('brokerapi_since');
        $since = $item->isHit() ? $item->get() : gmdate('Y-m-d\TH:i:s\Z', time() - 86400);
        $numbers = [];
        $keep = function (array $service) use (&$numbers): void {
            $numbers[] = (int) $service['service_number'];
        };
        $known = fn() => array_map(
            static fn($model) => (int) $model->service_number,
            array_values($this->di['db']->find('service_brokerapi', 'service_number IS NOT NULL')),
        );
        $next = $this->connect()->changes('/v1/services', $since, $keep, $known, $this->markUnmet(...));
        foreach (array_chunk($numbers, 500) as $some) {
            $list = implode(',', $some);
            $this->di['db']->exec("UPDATE service_brokerapi SET checked_at = NULL WHERE service_number IN ($list)");
        }
        $this->di['cache']->save($item->set($next)->expiresAfter(86400));
    }

    /** After a loss of the operator's records: staff have to know, and nothing is deleted. */
    private function markUnmet(array $numbers): void
    {
        foreach ($numbers as $number) {
            $notice = "The operator's records lack the service $number: ask the operator, and delete nothing";
            $rows = $this->di['db']->find('service_brokerapi', 'service_number = :number', [':number' => $number]);
            foreach ($rows as $model) {
                if ($model->notice !== $notice) {
                    $model->notice = $notice;
                    $this->store($model);
                    $this->note((int) $model->order_id, $notice);
                }
            }
        }
    }

    /** A client page waits for a few seconds at most, and not again at once where nothing answers. */
    private function refreshForPage($model): void
    {
        if ($model->checked_at && strtotime((string) $model->checked_at) > time() - self::LOOK_AGAIN) {
            return;
        }
        $model->checked_at = date('Y-m-d H:i:s');
        try {
            $this->read($this->panel($model, forClient: true), $model);
        } catch (Exception) {
            $this->store($model);
        }
    }

    private function read(BrokerPanel $panel, $model): void
    {
        $service = $panel->read((int) $model->service_number);
        $service['names'] = $panel->actionsUnderWay($service);
        $hasEnded = BrokerPanel::hasEnded($service);
        $model->record = json_encode($service);
        $model->is_open = (int) (BrokerPanel::isOpen($service) || (!$service['access'] && !$hasEnded));
        $model->checked_at = date('Y-m-d H:i:s');
        $order = $this->di['db']->load('ClientOrder', $model->order_id);
        $isLost = $hasEnded && $order && in_array($order->status, ['active', 'suspended'], true);
        $notice = $isLost ? "The service $model->service_number has ended, but the order has not" : null;
        $isNews = $notice !== null && $notice !== $model->notice;
        $model->notice = $notice;
        $isReady = $service['access'] && (int) $model->is_mailed === 0;
        $model->is_mailed = $isReady ? 1 : $model->is_mailed;
        $this->store($model);
        if ($isNews) {
            $this->note((int) $order->id, $notice);
        }
        if ($isReady && $order) {
            $this->mail($order, $model);
        }
    }

    /** The email that knows the address. */
    private function mail($order, $model): void
    {
        try {
            $this->di['mod_service']('email')->sendTemplate([
                'to_client' => $model->client_id,
                'code' => 'mod_servicebrokerapi_ready',
                'order' => $this->di['mod_service']('order')->toApiArray($order, true),
                'service' => $this->toApiArray($model),
            ]);
        } catch (Exception $error) {
            error_log("Broker API: {$error->getMessage()}");
        }
    }

    /** In the order's history, which takes no bean as product types are given. */
    private function note(int $orderId, string $text): void
    {
        $order = $this->di['db']->load('ClientOrder', $orderId);
        $this->di['mod_service']('order')->saveStatusChange($order, $text);
    }

    /** @param callable $change takes the panel and the number of the order's service */
    private function change($model, callable $change, bool $forClient = false, bool $isPatient = false): bool
    {
        $do = function () use ($model, $change, $forClient, $isPatient): void {
            if (!is_object($model)) {
                throw new BrokerRefusal('The order has no service');
            }
            $panel = $this->panel($model, $forClient, $isPatient);
            // One whose creation's answer was lost has no number here.
            $number = (int) $model->service_number ?: $panel->find()['service_number']
                ?? throw new BrokerRefusal('The order has no service, or it has ended');
            $model->service_number = $number;
            $change($panel, $number);
            $this->lookAgain($model);
        };
        return $this->attempt($do, $forClient);
    }

    /** @return ?array the order's service that has not ended */
    private function find(BrokerPanel $panel, $model): ?array
    {
        $number = (int) $model->service_number;
        $service = $number ? $panel->read($number) : $panel->find();
        return $service && !BrokerPanel::hasEnded($service) ? $service : null;
    }

    private function lookAgain($model): void
    {
        $model->is_open = 1;
        $model->checked_at = null;
        $this->store($model);
    }

    private function store($model): void
    {
        $model->updated_at = date('Y-m-d H:i:s');
        $this->di['db']->store($model);
    }

    private function attempt(callable $do, bool $forClient = false): bool
    {
        try {
            $do();
            return true;
        } catch (Exception $error) {
            throw $forClient ? $this->forClient($error) : new \FOSSBilling\Exception(BrokerPanel::explain($error));
        }
    }

    /** Clients read what they can mend; what only staff understand goes to the log. */
    private function forClient(Exception $error): Exception
    {
        if ($error instanceof \FOSSBilling\InformationException) {
            return $error;
        }
        error_log('Broker API: ' . BrokerPanel::explain($error));
        $text = Texts::translate('This cannot be done now. Try again in a minute');
        return new \FOSSBilling\InformationException($text);
    }

    /** The values of a plan's options, typed; what is neither fixed nor asked for is left to the plan. */
    private function chosen(array $config, array $given): array
    {
        $fixed = array_map(fn($text) => trim((string) $text), (array) ($config['fixed'] ?? []));
        $fixed = array_filter($fixed, fn(string $text) => $text !== '');
        $asked = array_filter((array) ($config['ask'] ?? []));
        $chosen = [];
        foreach ($this->options($config) as $option) {
            $name = $option['name'];
            $text = $fixed[$name] ?? (isset($asked[$name]) ? $given[$name] ?? '' : null);
            if (($option['format'] ?? null) === 'hostname' && is_string($text) && trim($text) !== '') {
                $text = BrokerPanel::hostName($text) ?? $text;
            }
            $value = $text === null ? null : BrokerPanel::configuration([$option], [$name => $text])[$name] ?? null;
            $isMissing = $value === null && ($option['required'] ?? false) && $option['default'] === null;
            $fault = match (true) {
                $isMissing => Texts::translate(':option is required', [':option' => $option['display_name']]),
                $value === null => null,
                default => BrokerPanel::faultOf($option, $value, Texts::translate(...)),
            };
            if ($fault) {
                throw new \FOSSBilling\InformationException($fault);
            }
            if ($value !== null) {
                $chosen[$name] = $value;
            }
        }
        return $chosen;
    }

    private function options(array $config): array
    {
        try {
            $plans = $this->plans();
        } catch (Exception $error) {
            throw $this->forClient($error);
        }
        foreach ($plans as $plan) {
            if ($plan['slug'] === ($config['plan'] ?? '')) {
                return $plan['options'];
            }
        }
        throw new \FOSSBilling\InformationException(Texts::translate('This product is not set up completely'));
    }

    private function productConfig(int $id): array
    {
        $config = $this->di['db']->getCell('SELECT config FROM product WHERE id = :id', [':id' => $id]);
        return json_decode((string) $config, true) ?? [];
    }

    /** The actions that clients see, each option with the value that the service has. */
    private function actions(array $service, $model): array
    {
        $order = $this->di['db']->load('ClientOrder', $model->order_id);
        $config = $order ? $this->productConfig((int) $order->product_id) : [];
        $actions = [];
        foreach ($service['actions'] ?? [] as $action) {
            if (in_array($action['name'], self::OF_PANEL, true)) {
                continue;
            }
            $options = [];
            foreach ($action['options'] as $option) {
                if ($this->isChosenByClient($config, $option['name'])) {
                    $value = $service['configuration'][$option['name']] ?? $option['default'];
                    $options[] = ['value' => $value] + $option;
                }
            }
            $actions[] = ['options' => $options] + $action;
        }
        return $actions;
    }

    /** What the product fixes, or leaves to the plan, no action of a client changes; other options it does not name. */
    private function isChosenByClient(array $config, string $name): bool
    {
        $fixed = trim((string) ($config['fixed'][$name] ?? ''));
        return $fixed === '' && (bool) ($config['ask'][$name] ?? true);
    }

    private function client(int $id): array
    {
        $sql = 'SELECT email, first_name, last_name, company FROM client WHERE id = :id';
        $client = $this->di['db']->getRow($sql, [':id' => $id]);
        $name = trim("{$client['first_name']} {$client['last_name']}");
        return ['email' => (string) $client['email'], 'name' => $name ?: (string) $client['company']];
    }

    private function panel($model, bool $forClient = false, bool $isPatient = false): BrokerPanel
    {
        $order = is_object($model) ? (int) $model->order_id : 0;
        if ($order <= 0) {
            throw new BrokerRefusal('The order has no number, so nothing is done');
        }
        $email = $this->client((int) $model->client_id)['email'];
        return new BrokerPanel($this->connect($forClient, $isPatient), $this->name() . "/order-$order", $email);
    }

    private function connect(bool $forClient = false, bool $isPatient = false): \Broker
    {
        $settings = $this->settings();
        $address = trim((string) ($settings['address'] ?? '')) ?: BrokerPanel::ADDRESS;
        return BrokerPanel::connect($address, (string) ($settings['key'] ?? ''), $forClient, $isPatient);
    }

    private function name(): string
    {
        $given = $this->settings()['name'] ?? '';
        return BrokerPanel::panelName($given, '"Name of this panel" in the settings of the module');
    }

    private function settings(): array
    {
        return $this->di['mod_config']('servicebrokerapi') ?: [];
    }
}
