<?php
/**
 * What a server manager finds in FOSSBilling, as its documentation says: the classes that it is given and extends, and the
 * life of an order around it.
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

/** Getters and setters of fields that are null at first. */
abstract class Fields
{
    protected array $fields = [];

    public function __call(string $name, array $arguments): mixed
    {
        $field = substr($name, 3);
        if (str_starts_with($name, 'get')) {
            return $this->fields[$field] ?? null;
        }
        $this->fields[$field] = $arguments[0];
        return $this;
    }
}

class Server_Client extends Fields
{
}

class Server_Package extends Fields
{
    private array $custom = [];

    public function setCustomValues(array $values): static
    {
        $this->custom = $values;
        return $this;
    }

    public function getCustomValue(string $name): ?string
    {
        return $this->custom[$name] ?? null;
    }
}

class Server_Account extends Fields
{
}

abstract class Server_Manager
{
    protected array $_config = [
        ...['ip' => null, 'host' => null, 'secure' => false, 'username' => null, 'password' => null],
        ...['accesshash' => null, 'config' => null, 'port' => null, 'passwordLength' => null],
    ];

    public function __construct(array $options)
    {
        $this->_config = $options + $this->_config;
        $this->init();
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

/** An order as FOSSBilling keeps it. */
$orders = [];

answer_calls(function (array $given) use (&$orders): array {
    $order = &$orders[$given['order'] ?? 0];
    $order ??= ['status' => 'pending_setup', 'username' => null, 'ip' => null, 'password' => null];
    $order = ($given['fields'] ?? []) + $order;
    $manager = new Server_Manager_Brokerapi($given['server']);
    $packageOf = fn(array $custom) => (new Server_Package())->setName('A plan')->setCustomValues($custom);
    $account = (new Server_Account())
        ->setDomain($order['domain'] ?? '')
        ->setUsername($order['username'] ?? $manager->generateUsername($order['domain'] ?? ''))
        ->setPassword($order['password'] ?? 'invented')
        ->setPackage($packageOf($order['package'] ?? []))
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
        $state = ['suspendAccount' => 'suspended', 'unsuspendAccount' => 'active', 'cancelAccount' => 'canceled'][$call] ?? null;
        $order = ($state ? ['status' => $state] : []) + $order;
    } catch (Server_Exception $error) {
        $answer = $error->getMessage();
        $order = ($call === 'createAccount' ? ['status' => 'failed_setup'] : []) + $order;
    }
    return ['answer' => $answer, 'order' => $order];
});
