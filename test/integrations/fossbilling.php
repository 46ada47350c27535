<?php
/**
 * What a server manager finds in FOSSBilling: stand-ins for the classes that it is given and extends, and the life of
 * an order around it. Written by us with the names, types and defaults of the real classes (0.7.2; alike in 0.6.22 and
 * 0.8.5: library/Server, library/Box/Log.php, modules/Servicehosting/Service.php, modules/Order/Service.php).
 *
 *     php fossbilling.php LIBRARY-FOLDER
 */
declare(strict_types=1);

require __DIR__ . '/panel.php';

class Server_Exception extends Exception
{
    public function __construct(string $message, ?array $variables = null, int $code = 0)
    {
        parent::__construct(strtr($message, $variables ?? []), $code);
    }
}

/** Getters and setters of fields; the real classes have a method for each. */
abstract class Fields
{
    protected array $fields = [];

    public function __call(string $name, array $arguments): mixed
    {
        $field = substr($name, 3);
        if (!in_array($field, static::NAMES, true)) {
            throw new Error("There is no $name");
        }
        if (str_starts_with($name, 'get')) {
            return $this->fields[$field] ?? null;
        }
        if (is_bool($arguments[0]) !== in_array($field, ['Reseller', 'Suspended'], true)) {
            throw new TypeError("$name takes another type");
        }
        $this->fields[$field] = $arguments[0];
        return $this;
    }
}

class Server_Client extends Fields
{
    protected const NAMES = ['Id', 'Email', 'FirstName', 'LastName', 'FullName', 'Company'];
}

class Server_Package extends Fields
{
    protected const NAMES = ['Name', 'Quota', 'Bandwidth', 'MaxDomains'];
    private array $custom = [];

    public function setCustomValues(array $param): static
    {
        $this->custom = $param;
        return $this;
    }

    public function getCustomValue(string $param): ?string
    {
        return $this->custom[$param] ?? null;
    }
}

class Server_Account extends Fields
{
    protected const NAMES = [
        'Username', 'Password', 'Domain', 'Ip', 'Client', 'Package', 'Reseller', 'Suspended',
        'Note',
    ];
}

/** The container has one logger, to which the order of the next call is noted. */
class Box_Log
{
    protected array $_extras = [];
    public array $written = [];

    public function setEventItem(string $name, mixed $value): static
    {
        $this->_extras = array_merge($this->_extras, [$name => $value]);
        return $this;
    }

    public function __call($method, $params): void
    {
        $this->written[] = "$method: $params[0]";
    }
}

abstract class Server_Manager
{
    protected array $_config = [
        ...['ip' => null, 'host' => null, 'secure' => false, 'username' => null, 'password' => null],
        ...['accesshash' => null, 'config' => null, 'port' => null, 'passwordLength' => null],
    ];

    private ?Box_Log $_log = null;

    public function __construct(array $options)
    {
        $this->_config = $options + $this->_config;
        $this->init();
    }

    public function getLog(): ?Box_Log
    {
        return $this->_log ?? new Box_Log();
    }

    public function setLog(Box_Log $value): static
    {
        $this->_log = $value;
        return $this;
    }

    protected function init()
    {
    }

    public function generateUsername(string $domain)
    {
        return substr(preg_replace('/[^A-Za-z0-9]/', '', $domain), 0, 7) . random_int(0, 9);
    }

    abstract public function getLoginUrl(?Server_Account $account);
    abstract public function getResellerLoginUrl(?Server_Account $account);
    abstract public function testConnection();
    abstract public function createAccount(Server_Account $account);
    abstract public function synchronizeAccount(Server_Account $account);
    abstract public function suspendAccount(Server_Account $account);
    abstract public function unsuspendAccount(Server_Account $account);
    abstract public function cancelAccount(Server_Account $account);
    abstract public function changeAccountPassword(Server_Account $account, string $newPassword);
    abstract public function changeAccountUsername(Server_Account $account, string $newUsername);
    abstract public function changeAccountDomain(Server_Account $account, string $newDomain);
    abstract public function changeAccountIp(Server_Account $account, string $newIp);
    abstract public function changeAccountPackage(Server_Account $account, Server_Package $package);
}

require $argv[1] . '/Server/Manager/Brokerapi.php';

/** Calls every public function of the shared file that takes a service, by number and by record, for Eve's order 2. */
function try_all(array $server, array $service): array
{
    $address = BrokerPanel::address($server['host'], $server['port'], false);
    $broker = BrokerPanel::connect($address, $server['accesshash']);
    $panel = new BrokerPanel($broker, 'panel-1/order-2', 'eve@example.com');
    $answers = [];
    foreach ((new ReflectionClass($panel))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
        $first = $method->getParameters()[0] ?? null;
        if ($method->isStatic() || !$first || !in_array($first->getName(), ['service', 'number'], true)) {
            continue;
        }
        $more = array_map(
            fn(ReflectionParameter $parameter) => (string) $parameter->getType() === 'array' ? [] : 'business',
            array_slice($method->getParameters(), 1, $method->getNumberOfRequiredParameters() - 1),
        );
        $forms = match ((string) $first->getType()) {
            'int' => [$service['service_number']],
            'array' => [$service],
            default => [$service['service_number'], $service],
        };
        foreach ($forms as $form) {
            try {
                $method->invoke($panel, $form, ...$more);
                $answers[$method->getName()] = 'done';
            } catch (BrokerRefusal $refusal) {
                $answers[$method->getName()] ??= $refusal->getMessage();
            }
        }
    }
    return $answers;
}

/** Orders as FOSSBilling keeps them, by their numbers, and the container's logger. */
$orders = [];
$log = new Box_Log();

answer_calls(function (array $given) use (&$orders, $log): array {
    $number = $given['order'] ?? 0;
    $order = &$orders[$number];
    $order ??= ['status' => 'pending_setup', 'username' => null, 'ip' => null, 'password' => null];
    $order = ($given['fields'] ?? []) + $order;
    if (($given['call'] ?? 'none') === 'none') {
        return ['answer' => true, 'order' => $order];
    }
    if ($given['call'] === 'panel') {
        return ['answer' => try_all($given['server'], $given['argument']), 'order' => $order];
    }
    $manager = new Server_Manager_Brokerapi($given['server']);
    if ($number) {
        $manager->setLog($log->setEventItem('client_order_id', $number)->setEventItem('status', $order['status']));
    }
    $log->written = [];
    $packageOf = fn(array $custom) => (new Server_Package())->setName('A plan')->setCustomValues($custom);
    $account = (new Server_Account())
        ->setDomain($order['domain'] ?? '')
        ->setUsername($order['username'] ?? $manager->generateUsername($order['domain'] ?? ''))
        ->setPassword($order['password'] ?? 'invented')
        ->setPackage($packageOf($order['package'] ?? []))
        ->setReseller(false)
        ->setClient((new Server_Client())->setFullName('Ada Example')->setEmail($order['email'] ?? 'ada@example.com'));
    $call = $given['call'];
    try {
        if (str_starts_with($call, 'changeAccount')) {
            $order = $call === 'changeAccountPackage' ? ['package' => $given['argument']] + $order : $order;
            $argument = is_array($given['argument']) ? $packageOf($given['argument']) : $given['argument'];
            // The account has the new package already.
            $answer = $manager->$call($account->setPackage($packageOf($order['package'] ?? [])), $argument);
        } elseif ($call === 'testConnection') {
            $answer = $manager->testConnection();
        } elseif ($call === 'getLoginUrl') {
            $answer = $manager->getLoginUrl($given['argument'] ?? true ? $account : null);
        } elseif ($call === 'delete') {
            // A failed order is cancelled first, too.
            $answer = $order['status'] === 'canceled' ? true : $manager->cancelAccount($account);
        } else {
            $answer = $manager->$call($account);
        }
        // Only what succeeded is stored; passwords as asterisks.
        if ($call === 'createAccount') {
            $order = ['status' => 'active', 'username' => $account->getUsername(), 'password' => '********'] + $order;
        }
        if ($call === 'synchronizeAccount') {
            $order = ['username' => $answer->getUsername(), 'ip' => $answer->getIp()] + $order;
            $answer = true;
        }
        $states = ['suspendAccount' => 'suspended', 'unsuspendAccount' => 'active', 'cancelAccount' => 'canceled'];
        $state = $states[$call] ?? null;
        $order = ($state ? ['status' => $state] : []) + $order;
    } catch (Server_Exception $error) {
        $answer = $error->getMessage();
        $order = ($call === 'createAccount' ? ['status' => 'failed_setup'] : []) + $order;
    }
    return ['answer' => $answer, 'order' => $order, 'history' => $log->written];
});
