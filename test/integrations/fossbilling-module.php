<?php
/**
 * What a product type finds in FOSSBilling: stand-ins for the classes that it is given and extends, the life of an
 * order around it, and its templates in Twig. Written by us with the names and types of the real ones (0.7.2; alike in 0.8.5:
 * library/Api/Abstract.php, library/Box/{Database,Event}.php, modules/{Order,Product,Email}/Service.php).
 *
 *     php fossbilling-module.php FOLDER-OF-FOSSBILLING [LANGUAGE]
 */
declare(strict_types=1);

namespace FOSSBilling {
    interface InjectionAwareInterface
    {
        public function setDi(\Pimple\Container $di): void;

        public function getDi(): ?\Pimple\Container;
    }

    class Exception extends \Exception
    {
        public function __construct(string $message, ?array $variables = null, int $code = 0, bool $protected = false)
        {
            parent::__construct(strtr(__trans($message), $variables ?? []), $code);
        }
    }

    class InformationException extends Exception
    {
    }
}

namespace Pimple {
    class Container extends \ArrayObject
    {
    }
}

namespace {
    require __DIR__ . '/panel.php';

    [, $root, $language] = $argv + [2 => 'en'];

    /** FOSSBilling's own translation knows none of the module's texts but one. */
    function __trans(string $msgid, ?array $values = null): string
    {
        $own = $GLOBALS['language'] === 'de' ? ['Password' => 'Kennwort'] : [];
        return strtr($own[$msgid] ?? $msgid, $values ?? []);
    }

    function _setlocale(int $category, string $locale): string
    {
        return $GLOBALS['language'] === 'de' ? 'de_DE' : 'en_US';
    }

    class Api_Abstract
    {
        protected $service;
        protected $identity;
        protected ?Pimple\Container $di = null;

        public function setDi(Pimple\Container $di): void
        {
            $this->di = $di;
        }

        public function setIdentity($identity): void
        {
            $this->identity = $identity;
        }

        public function getIdentity()
        {
            return $this->identity;
        }

        public function setService($service): void
        {
            $this->service = $service;
        }

        public function getService()
        {
            return $this->service;
        }
    }

    class Box_Event
    {
        public function __construct(private Pimple\Container $di)
        {
        }

        public function getDi(): ?Pimple\Container
        {
            return $this->di;
        }
    }

    #[AllowDynamicProperties]
    class Row
    {
        public $id = null;

        public function of(Row $other): static
        {
            foreach ((array) $other as $name => $value) {
                $this->$name = $value;
            }
            return $this;
        }
    }

    class Model_Client extends Row
    {
    }

    class Model_Admin extends Row
    {
    }

    class Model_ClientOrder extends Row
    {
    }

    class Model_Product extends Row
    {
    }

    /** Rows by tables; a row is an object, as beans and models are. */
    class Database
    {
        public array $tables = ['client' => [], 'client_order' => [], 'product' => [], 'service_brokerapi' => []];

        public function dispense(string $name): Row
        {
            $row = new Row();
            $row->table = $name;
            return $row;
        }

        public function store($row): int
        {
            $row->id ??= count($this->tables[$row->table]) + 1;
            $this->tables[$row->table][$row->id] = $row;
            return $row->id;
        }

        public function trash($row): void
        {
            unset($this->tables[$row->table][$row->id]);
        }

        public function exec($sql, $values = []): void
        {
            $update = '/^UPDATE service_brokerapi SET checked_at = NULL WHERE service_number IN \((.*)\)$/';
            $numbers = preg_match($update, $sql, $of) ? explode(',', $of[1]) : [];
            foreach ($this->tables['service_brokerapi'] as $row) {
                $isChanged = in_array((string) $row->service_number, $numbers, true);
                $row->checked_at = $isChanged ? null : $row->checked_at;
            }
        }

        public function load($name, $id): ?Row
        {
            return $this->tables[$name === 'ClientOrder' ? 'client_order' : $name][$id] ?? null;
        }

        public function getExistingModelById($name, $id, $message): Row
        {
            return $this->load($name, $id) ?? throw new FOSSBilling\Exception($message);
        }

        public function getRow(string $sql, array $values): array
        {
            preg_match('/^SELECT ([a-z_, ]+) FROM (\w+) WHERE id = :id$/', $sql, $asked)
                ?: throw new Error("No such query here: $sql");
            $row = (array) ($this->tables[$asked[2]][$values[':id']] ?? []);
            return array_intersect_key($row, array_flip(explode(', ', $asked[1])));
        }

        public function getCell(string $sql, array $values): ?string
        {
            return array_values($this->getRow($sql, $values))[0] ?? null;
        }

        /** The one list that the module asks for. */
        public function find(string $name, string $sql, array $values): array
        {
            $isDue = fn(Row $row) => $row->service_number !== null
                && ($row->is_open === 1 || $row->checked_at === null || $row->checked_at < $values[':day']);
            return array_filter($this->tables[$name], $isDue);
        }
    }

    class Cache
    {
        private array $kept = [];

        public function getItem(string $key): CacheItem
        {
            return $this->kept[$key] ?? new CacheItem($key);
        }

        public function save(CacheItem $item): bool
        {
            $this->kept[$item->key] = $item;
            return true;
        }
    }

    class CacheItem
    {
        private mixed $value = null;

        public function __construct(public string $key)
        {
        }

        public function isHit(): bool
        {
            return $this->value !== null;
        }

        public function get(): mixed
        {
            return $this->value;
        }

        public function set(mixed $value): static
        {
            $this->value = $value;
            return $this;
        }

        public function expiresAfter(int $seconds): static
        {
            return $this;
        }
    }

    class OrderService
    {
        public array $history = [];

        public function __construct(private Database $db)
        {
        }

        public function findForClientById($client, $id): ?Row
        {
            $order = $this->db->load('ClientOrder', $id);
            return $order?->client_id === $client->id ? $order : null;
        }

        public function getOrderService($order): ?Row
        {
            return $this->db->load('service_brokerapi', $order->service_id);
        }

        public function saveStatusChange(Model_ClientOrder $order, $notes = null): void
        {
            $this->history[] = $notes;
        }

        public function toApiArray($order, $deep = true): array
        {
            return (array) $order;
        }
    }

    class EmailService
    {
        public array $sent = [];

        public function sendTemplate($data): bool
        {
            $this->sent[] = [$data['code'], $data['to_client'], $data['service']['addresses'] ?? []];
            return true;
        }
    }

    spl_autoload_register(function (string $class) use ($root): void {
        $file = $root . '/modules/' . str_replace(['Box\\Mod\\', '\\'], ['', '/'], $class) . '.php';
        if (is_file($file)) {
            require $file;
        }
    });
    $settings = [];
    $db = new Database();
    $di = new Pimple\Container();
    $service = new Box\Mod\Servicebrokerapi\Service();
    $orders = new OrderService($db);
    $emails = new EmailService();
    $services = ['servicebrokerapi' => $service, 'order' => $orders, 'email' => $emails];
    $di['db'] = $db;
    $di['cache'] = new Cache();
    $di['mod_service'] = fn(string $name) => $services[$name];
    $di['mod_config'] = function () use (&$settings): array {
        return $settings;
    };
    $service->setDi($di);
    $service->install();

    $rowOf = function (string $class, string $table, array $values) use ($db): Row {
        $row = new $class();
        $row->table = $table;
        foreach ($values as $name => $value) {
            $row->$name = $value;
        }
        $db->store($row);
        return $row;
    };
    foreach ([1 => 'ada@example.com', 2 => 'eve@example.com'] as $id => $email) {
        $names = ['id' => $id, 'email' => $email, 'first_name' => 'Ada', 'last_name' => 'Example', 'company' => null];
        $rowOf(Model_Client::class, 'client', $names);
    }

    /** A template of the module as FOSSBilling renders it. */
    $render = function (string $area, string $name, array $values) use ($root, &$service): string {
        require_once 'Twig/autoload.php';
        $folder = "$root/modules/Servicebrokerapi/html_$area";
        $twig = new Twig\Environment(new Twig\Loader\FilesystemLoader($folder), ['strict_variables' => true]);
        $twig->addFilter(new Twig\TwigFilter('trans', __trans(...)));
        $guest = new class ($service) {
            public function __construct(private $service)
            {
            }

            public function servicebrokerapi_form(array $data): array
            {
                return $this->service->form($data['id']);
            }

            public function servicebrokerapi_texts(): array
            {
                return Box\Mod\Servicebrokerapi\Texts::all();
            }

            public function servicebrokerapi_plans(): array
            {
                return $this->service->plans();
            }
        };
        return $twig->render("mod_servicebrokerapi_$name.html.twig", $values + ['guest' => $guest, 'admin' => $guest]);
    };

    $answer = function (array $given) use (&$settings, $db, $di, $service, $orders, $emails, $rowOf, $render): array {
        $settings = $given['settings'];
        $order = $db->load('ClientOrder', $given['order'] ?? 0);
        $model = $order && $order->service_id ? $db->load('service_brokerapi', $order->service_id) : null;
        $api = function (string $area, $identity) use ($di, $service) {
            $class = "Box\\Mod\\Servicebrokerapi\\Api\\$area";
            $api = new $class();
            $api->setDi($di);
            $api->setService($service);
            $api->setIdentity($identity);
            return $api;
        };
        $_SERVER['REQUEST_METHOD'] = $given['method'] ?? 'POST';
        $statuses = ['activate' => 'active', 'uncancel' => 'active', 'unsuspend' => 'active', 'suspend' => 'suspended'];
        $statuses['cancel'] = 'canceled';
        $call = $given['call'];
        try {
            switch ($call) {
                case 'product':
                    $answer = $rowOf(Model_Product::class, 'product', ['config' => json_encode($given['config'])])->id;
                    break;
                case 'order':
                    // What the cart does, and then the order.
                    $product = $db->load('product', $given['product']);
                    $config = $service->attachOrderConfig($product, $given['data']);
                    $answer = $rowOf(Model_ClientOrder::class, 'client_order', [
                        'client_id' => $given['client'] ?? 1,
                        'product_id' => $product->id,
                        'service_type' => 'brokerapi',
                        'service_id' => null,
                        'config' => json_encode($config),
                        'title' => 'A server',
                        'status' => 'pending_setup',
                    ])->id;
                    break;
                case 'age':
                    // As if an hour had passed.
                    $item = $di['cache']->getItem('brokerapi_plans');
                    $item->set(['at' => time() - 3600] + $item->get());
                    $answer = true;
                    break;
                case 'form':
                    $answer = $service->form($given['product']);
                    break;
                case 'round':
                    $service::onAfterAdminCronRun(new Box_Event($di));
                    $answer = true;
                    break;
                case 'view':
                    $identity = ($given['staff'] ?? false) ? new Model_Admin() : new Model_Client();
                    $answer = $service->toApiArray($model, true, $identity);
                    break;
                case 'client':
                    $client = $db->load('client', $given['client'] ?? 1);
                    $answer = $api('Client', $client)->{$given['function']}($given['data']);
                    break;
                case 'admin':
                    $answer = $api('Admin', new Model_Admin())->{$given['function']}($given['data']);
                    break;
                case 'page':
                    $view = $model ? $service->toApiArray($model, true, new Model_Admin()) : null;
                    $product = $db->load('product', $given['product'] ?? 1);
                    $shown = ['id' => $product->id, 'config' => json_decode($product->config, true)];
                    $values = ['order' => $order, 'service' => $view, 'product' => $shown, 'product_details' => ''];
                    $answer = $render($given['area'], $given['template'], $values);
                    break;
                case 'delete':
                    $service->delete($order, $model);
                    $db->trash($order);
                    $answer = true;
                    break;
                default:
                    if ($call === 'activate' && !$model) {
                        $model = $service->create($order);
                        $order->service_id = $model->id;
                    }
                    // Product types are given a bean, not the model.
                    $bean = (new Row())->of($order);
                    $answer = $service->$call($bean, $model);
                    $order->status = $statuses[$call] ?? $order->status;
            }
        } catch (FOSSBilling\Exception $error) {
            $answer = $error->getMessage();
            if ($call === 'activate') {
                $order->status = 'failed_setup';
            }
        }
        return ['answer' => $answer, 'mails' => $emails->sent, 'history' => $orders->history];
    };
    answer_calls($answer);
}
