<?php
/**
 * FOSSBilling server manager for the Broker API: PHP 8.1 or later. README.md says how it is set up.
 *
 * A server manager can store nothing, and no order has an id here: a service is found by its `external_reference`, which is
 * made of the panel's name and the order's domain, and its own record says what is left to do.
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
            $service = $this->panel(true)->find($this->reference($account));
        } catch (Exception) {
            // The client's page comes up all the same.
            return '';
        }
        $url = (string) ($service['access']['login_url'] ?? '');
        return preg_match('~^https?://~i', $url) ? $url : '';
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
            BrokerPanel::panelName($this->_config['username']);
            $this->panel()->test('admin:full');
        });
    }

    public function createAccount(Server_Account $account)
    {
        return $this->attempt(function () use ($account): void {
            $client = $account->getClient();
            $package = $account->getPackage();
            $email = (string) $client->getEmail();
            $domain = (string) $account->getDomain();
            $service = $this->panel()->create(
                $this->reference($account),
                $this->planOf($package),
                ['name' => (string) ($client->getFullName() ?: $client->getCompany()), 'email' => $email],
                $this->textsOf($package) + ['hostname' => $domain],
                $domain,
            );
            if (strcasecmp((string) $service['client']['email'], $email) !== 0) {
                throw new BrokerRefusal("The domain $domain has a service of another client; use another domain");
            }
        });
    }

    /** The name and the first address that the service has by now. */
    public function synchronizeAccount(Server_Account $account)
    {
        $found = clone $account;
        $this->change($account, function (BrokerPanel $panel, int $number, array $service) use ($found): void {
            $access = $service['access'] ?? [];
            if (!empty($access['username'])) {
                $found->setUsername($access['username']);
            }
            if (!empty($access['ip_addresses'])) {
                $found->setIp($access['ip_addresses'][0]);
            }
            $found->setSuspended(BrokerPanel::status($service) === 'suspended');
        });
        return $found;
    }

    public function suspendAccount(Server_Account $account)
    {
        return $this->change($account, fn(BrokerPanel $panel, int $number) => $panel->suspend($number, $account->getNote()));
    }

    public function unsuspendAccount(Server_Account $account)
    {
        return $this->change($account, fn(BrokerPanel $panel, int $number) => $panel->unsuspend($number));
    }

    public function cancelAccount(Server_Account $account)
    {
        return $this->attempt(function () use ($account): void {
            $panel = $this->panel();
            $service = $panel->find($this->reference($account));
            // Without one it has ended, or is about to.
            if ($service) {
                $panel->terminate($service['service_number']);
            }
        });
    }

    /** The account has the new package by now; the argument says so, too. */
    public function changeAccountPackage(Server_Account $account, Server_Package $package)
    {
        [$plan, $texts] = [$this->planOf($package), $this->textsOf($package)];
        return $this->change($account, fn(BrokerPanel $panel, int $number) => $panel->changePlan($number, $plan, $texts));
    }

    public function changeAccountPassword(Server_Account $account, string $newPassword)
    {
        throw new Server_Exception('A password is set on the service itself, or with the action that its control panel has');
    }

    public function changeAccountUsername(Server_Account $account, string $newUsername)
    {
        throw new Server_Exception('The user name of a service does not change');
    }

    public function changeAccountDomain(Server_Account $account, string $newDomain)
    {
        throw new Server_Exception('The domain of an order does not change: its service is found by it');
    }

    public function changeAccountIp(Server_Account $account, string $newIp)
    {
        throw new Server_Exception('The addresses of a service come from the Broker API');
    }

    /** @param callable $change takes the panel, the number of the account's service, and the service */
    private function change(Server_Account $account, callable $change): bool
    {
        return $this->attempt(function () use ($account, $change): void {
            $panel = $this->panel();
            $service = $panel->find($this->reference($account))
                ?? throw new BrokerRefusal('There is no service for ' . $account->getDomain() . ', or it has ended');
            $change($panel, $service['service_number'], $service);
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

    private function panel(bool $forClient = false): BrokerPanel
    {
        $address = BrokerPanel::address($this->_config['host'], $this->_config['port'], (bool) $this->_config['secure']);
        $key = (string) ($this->_config['accesshash'] ?: $this->_config['password']);
        return new BrokerPanel(BrokerPanel::connect($address, $key, $forClient));
    }

    private function reference(Server_Account $account): string
    {
        return BrokerPanel::panelName($this->_config['username']) . '/' . strtolower((string) $account->getDomain());
    }

    /** The hosting plan's parameter `plan`, or else its name. */
    private function planOf(Server_Package $package): string
    {
        return (string) ($package->getCustomValue('plan') ?: $package->getName());
    }

    /** The hosting plan's parameter `configuration`, such as `image=debian-13, backups=yes`. */
    private function textsOf(Server_Package $package): array
    {
        preg_match_all('/(\w+)\s*=\s*([^,\r\n]+)/', (string) $package->getCustomValue('configuration'), $found);
        return array_combine($found[1], $found[2]);
    }
}
