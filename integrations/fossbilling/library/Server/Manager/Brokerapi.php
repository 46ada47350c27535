<?php
/**
 * FOSSBilling server manager for the Broker API: PHP 8.1 or later. README.md says how it is set up.
 *
 * A server manager can store nothing: a service is found by its `external_reference`, which is made of the panel's name
 * and the order's number, and its own record says what is left to do. The number stands in the log that FOSSBilling
 * sets before each call for an order, in cron too (Servicehosting's `getServerManagerWithLog`; 0.6.22 to 0.8.5).
 */
declare(strict_types=1);

require_once dirname(__DIR__, 2) . '/Brokerapi/panel.php';

class Server_Manager_Brokerapi extends Server_Manager
{
    public static function getForm(): array
    {
        return [
            'label' => 'Broker API',
            'form' => [
                'credentials' => [
                    'fields' => [
                        [
                            'name' => 'username',
                            'type' => 'text',
                            'label' => 'Name of this panel (letters and digits; no other panel may have it)',
                            'placeholder' => 'panel-1',
                            'required' => true,
                        ],
                        [
                            'name' => 'accesshash',
                            'type' => 'text',
                            'label' => 'API key',
                            'placeholder' => 'sk_live_...',
                            'required' => true,
                            'secret' => true,
                        ],
                    ],
                ],
            ],
        ];
    }

    /** The panel of the client is a link of its own service; without a service there is none, and nothing is asked. */
    public function getLoginUrl(?Server_Account $account = null)
    {
        if ($account === null) {
            return '';
        }
        try {
            // A page that is only looked at changes nothing.
            $service = $this->find($this->panel($account, forClient: true), $account, isForGood: false);
        } catch (Exception) {
            // The client's page comes up all the same.
            return '';
        }
        return BrokerPanel::loginLink($service);
    }

    public function getResellerLoginUrl(?Server_Account $account = null)
    {
        return $this->getLoginUrl($account);
    }

    /** The same for each try. The client's own name on the service comes by `synchronizeAccount`. */
    public function generateUsername(string $domain)
    {
        return substr((string) preg_replace('/[^a-z0-9]/', '', strtolower($domain)), 0, 16);
    }

    public function testConnection()
    {
        return $this->attempt(function (): void {
            $this->name();
            (new BrokerPanel($this->connect()))->test('admin:full');
        });
    }

    public function createAccount(Server_Account $account)
    {
        return $this->attempt(function () use ($account): void {
            $panel = $this->panel($account, isPatient: true);
            // An order that was active has perhaps a service that the reference alone does not show.
            $isNew = in_array($this->ofOrder('status'), ['pending_setup', 'failed_setup'], true);
            if (!$isNew && $this->find($panel, $account)) {
                return;
            }
            $client = $account->getClient();
            $package = $account->getPackage();
            $domain = (string) $account->getDomain();
            $panel->create(
                $this->planOf($package),
                [
                    'name' => (string) ($client->getFullName() ?: $client->getCompany()),
                    'email' => (string) $client->getEmail(),
                ],
                ['hostname' => BrokerPanel::hostName($domain)],
                $domain,
                $this->chosenIn($package),
            );
        });
    }

    /** The name and the first address that the service has by now; the plan that was changed while it was suspended. */
    public function synchronizeAccount(Server_Account $account)
    {
        $found = clone $account;
        $read = function (BrokerPanel $panel, array $service) use ($account, $found): void {
            $access = $service['access'] ?? [];
            if (!empty($access['username'])) {
                $found->setUsername($access['username']);
            }
            if (!empty($access['ip_addresses'])) {
                $found->setIp($access['ip_addresses'][0]);
            }
            $found->setSuspended(BrokerPanel::status($service) === 'suspended');
            $plan = $this->planOf($account->getPackage());
            if ($service['service_status'] === 'active' && !BrokerPanel::isOn($service, $plan)) {
                $panel->changePlan($service['service_number'], $plan, [], $this->chosenIn($account->getPackage()));
            }
        };
        $this->change($account, $read, isByStaff: true);
        return $found;
    }

    public function suspendAccount(Server_Account $account)
    {
        $suspend = fn(BrokerPanel $panel, array $service) => $panel->suspend($service, $account->getNote());
        return $this->change($account, $suspend);
    }

    /** FOSSBilling changes the plan of a suspended order without a call, so that it is compared here. */
    public function unsuspendAccount(Server_Account $account)
    {
        $unsuspend = function (BrokerPanel $panel, array $service) use ($account): void {
            $panel->unsuspend($service);
            $plan = $this->planOf($account->getPackage());
            if (BrokerPanel::isOn($service, $plan)) {
                return;
            }
            try {
                $chosen = $this->chosenIn($account->getPackage());
                $panel->changePlanAfterSuspension($service['service_number'], $plan, [], $chosen);
            } catch (Exception $error) {
                // The order is paid and runs again: it must not stay suspended here because of its plan.
                $this->getLog()?->warn("The plan is still {$service['plan']['display_name']}, not $plan; press " .
                    'Synchronize. ' . BrokerPanel::explain($error));
            }
        };
        return $this->change($account, $unsuspend, isPatient: true);
    }

    public function cancelAccount(Server_Account $account)
    {
        return $this->attempt(function () use ($account): void {
            $panel = $this->panel($account);
            $service = $this->find($panel, $account);
            // Without one nothing was ordered, or it has ended, or is about to.
            if ($service) {
                $panel->terminate($service);
            }
        });
    }

    /** The account has the new package by now; the argument says so, too. */
    public function changeAccountPackage(Server_Account $account, Server_Package $package)
    {
        $change = function (BrokerPanel $panel, array $service) use ($package): void {
            $panel->changePlan($service['service_number'], $this->planOf($package), [], $this->chosenIn($package));
        };
        return $this->change($account, $change);
    }

    public function changeAccountPassword(Server_Account $account, string $newPassword)
    {
        throw new Server_Exception('A password is set on the service itself, or in its control panel');
    }

    public function changeAccountUsername(Server_Account $account, string $newUsername)
    {
        throw new Server_Exception('The user name of a service does not change');
    }

    public function changeAccountDomain(Server_Account $account, string $newDomain)
    {
        throw new Server_Exception('The host name of a service does not change with the domain of its order');
    }

    public function changeAccountIp(Server_Account $account, string $newIp)
    {
        throw new Server_Exception('The addresses of a service come from the Broker API');
    }

    /**
     * @param callable $change takes the panel and the order's service
     * @param bool $isByStaff whether staff alone can call this, who see the order's domain
     */
    private function change(
        Server_Account $account,
        callable $change,
        bool $isPatient = false,
        bool $isByStaff = false,
    ): bool {
        return $this->attempt(function () use ($account, $change, $isPatient, $isByStaff): void {
            $panel = $this->panel($account, isPatient: $isPatient);
            $service = $this->find($panel, $account, isByStaff: $isByStaff)
                ?? throw new BrokerRefusal('There is no service for ' . $account->getDomain() . ', or it has ended');
            $change($panel, $service);
        });
    }

    private function attempt(callable $do): bool
    {
        try {
            $do();
            return true;
        } catch (Exception $error) {
            throw new Server_Exception(BrokerPanel::explain($error));
        }
    }

    /**
     * The order's service. One of a release before 1.2, which named it by the domain, is taken over for an order that
     * has a service by FOSSBilling's own record: no failed order gets that of another one. For a suspended order, whose
     * domain a client can change before FOSSBilling 0.8, staff have to press Synchronize.
     */
    private function find(
        BrokerPanel $panel,
        Server_Account $account,
        bool $isForGood = true,
        bool $isByStaff = false,
    ): ?array {
        $status = $this->ofOrder('status');
        $hasService = in_array($status, ['active', 'suspended'], true);
        $found = $panel->find(isKnown: $hasService);
        if ($found || !$hasService) {
            return $found;
        }
        $isSure = $status === 'active' || $isByStaff;
        $former = $this->name() . '/' . strtolower((string) $account->getDomain());
        $found = $panel->adopt($former, $isForGood && $isSure);
        if ($found && !$isSure) {
            throw new BrokerRefusal("The service {$found['service_number']} is of a release before 1.2: compare the " .
                "order's domain, {$account->getDomain()}, with what was ordered, and press Synchronize first");
        }
        return $found;
    }

    private function panel(Server_Account $account, bool $forClient = false, bool $isPatient = false): BrokerPanel
    {
        $number = (string) $this->ofOrder('client_order_id');
        if (!preg_match('/^[1-9]\d*$/D', $number)) {
            throw new BrokerRefusal('FOSSBilling does not say which order this is, so nothing is done');
        }
        $email = (string) $account->getClient()?->getEmail();
        return new BrokerPanel($this->connect($forClient, $isPatient), $this->name() . "/order-$number", $email);
    }

    /** What FOSSBilling notes in the log of the order that a call is for. */
    private function ofOrder(string $name): mixed
    {
        $log = $this->getLog();
        return $log === null ? null : (fn() => $this->_extras[$name] ?? null)->call($log);
    }

    private function connect(bool $forClient = false, bool $isPatient = false): Broker
    {
        ['host' => $host, 'port' => $port, 'secure' => $isSecure] = $this->_config;
        $address = BrokerPanel::address($host, $port, (bool) $isSecure);
        $key = (string) ($this->_config['accesshash'] ?: $this->_config['password']);
        return BrokerPanel::connect($address, $key, $forClient, $isPatient);
    }

    private function name(): string
    {
        return BrokerPanel::panelName($this->_config['username'], '"Name of this panel" of the hosting server');
    }

    /** The hosting plan's parameter `plan`, or else its name. */
    private function planOf(Server_Package $package): string
    {
        return (string) ($package->getCustomValue('plan') ?: $package->getName());
    }

    /** The hosting plan's parameter `configuration`, such as `image=debian-13, backups=yes`. */
    private function chosenIn(Server_Package $package): array
    {
        $chosen = [];
        foreach (preg_split('/[,\r\n]+/', (string) $package->getCustomValue('configuration')) ?: [] as $part) {
            if (trim($part) === '') {
                continue;
            }
            [$name, $value] = array_map(trim(...), explode('=', $part, 2) + [1 => '']);
            if ($name === '' || $value === '') {
                throw new BrokerRefusal("The hosting plan's parameter \"configuration\" has \"" . trim($part) .
                    '" in place of NAME=VALUE');
            }
            $chosen[$name] = $value;
        }
        return $chosen;
    }
}
