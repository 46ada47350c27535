<?php
/**
 * What the modules for billing panels have in common: PHP 8.1 or later with the curl extension, beside broker.php.
 *
 * Each function brings a service to where the panel wants it, wherever it is now, so that a repeat after a lost answer does
 * nothing twice. Nothing has to be stored for that: the service's own record says what it will be.
 */
declare(strict_types=1);

require_once __DIR__ . '/broker.php';

/** Something was not done; the message is for the panel's staff. */
final class BrokerRefusal extends RuntimeException
{
}

final class BrokerPanel
{
    /** Where the modules were downloaded; a panel's server record can name another host. */
    public const ADDRESS = 'https://your-host/api';

    private const PLAN_CHANGES = ['plan-upgrade', 'plan-downgrade'];

    public function __construct(private Broker $broker)
    {
    }

    /**
     * The base address of a panel's server record. Without a host, or with the host of `ADDRESS`, that address.
     *
     * @param string|int|null $port where it is not the usual one
     */
    public static function address(?string $host, string|int|null $port, bool $isSecure): string
    {
        $host = trim((string) $host);
        $given = $host . (in_array((string) $port, ['', '0', $isSecure ? '443' : '80'], true) ? '' : ":$port");
        $known = (array) parse_url(self::ADDRESS) + ['port' => null];
        $isKnown = in_array($given, [$known['host'], "{$known['host']}:{$known['port']}"], true);
        // A panel that asks for TLS gets it.
        if ($given === '' || ($isKnown && (!$isSecure || $known['scheme'] === 'https'))) {
            return self::ADDRESS;
        }
        return ($isSecure ? 'https' : 'http') . "://$given/api";
    }

    /**
     * A cron job waits for the next window of the rate limit; staff and clients, who look at a page meanwhile, do not.
     *
     * @param bool $forClient a page of a client, which must come up even while nothing answers
     */
    public static function connect(string $address, #[SensitiveParameter] string $key, bool $forClient = false): Broker
    {
        [$tries, $timeout, $maxWait] = $forClient ? [2, 5, 2] : (PHP_SAPI === 'cli' ? [6, 30, 60] : [3, 10, 3]);
        return new Broker($address, $key, $tries, $timeout, $maxWait);
    }

    /** The name of the panel's installation, which stands in `external_reference` of all its services. */
    public static function panelName(?string $given): string
    {
        if (!preg_match('/^[A-Za-z0-9._-]{1,50}$/D', trim((string) $given))) {
            throw new BrokerRefusal('Set the user name of the server record to a name of this panel, of letters and ' .
                'digits, that no other panel with your keys has, such as "panel-1". Never change it');
        }
        return trim((string) $given);
    }

    /** Throws where the key cannot be used from here, or lacks one of the scopes. */
    public function test(string ...$scopes): void
    {
        $granted = $this->broker->get('/v1/auth-check')['data']['permissions']['scopes'];
        $missing = in_array('admin:full', $granted, true) ? [] : array_diff($scopes, $granted);
        if ($missing) {
            throw new BrokerRefusal('Scope: the key lacks ' . implode(', ', $missing));
        }
    }

    public function read(int $number): array
    {
        return $this->broker->get("/v1/services/$number")['data'];
    }

    /** The service of a reference that has not ended and is not about to; null where there is none. */
    public function find(string $reference): ?array
    {
        return self::living($this->all($reference));
    }

    /**
     * Orders a service, or finds the one that an earlier call ordered.
     *
     * @param array $client `name` and `email`
     * @param array $texts values by names of the plan's options, as the panel holds them
     */
    public function create(string $reference, string $planName, array $client, array $texts, ?string $label): array
    {
        $earlier = $this->all($reference);
        $found = self::living($earlier);
        if ($found) {
            return $found;
        }
        $plan = $this->plan($planName) ?? throw new BrokerRefusal("There is no plan \"$planName\"; choose another one");
        $order = ['plan' => $plan['slug'], 'client' => $client, 'external_reference' => $reference];
        $configuration = self::configuration($plan['options'], $texts);
        $more = array_filter(['label' => $label, 'configuration' => $configuration]);
        // The next service of this reference: no call orders it twice, and one that failed can be ordered anew.
        $key = 'create-' . hash('sha256', $reference) . '-' . (count($earlier) + 1);
        return $this->read($this->broker->post('/v1/services', $order + $more, $key)['data']['service_number']);
    }

    public function suspend(int $number, ?string $reason): void
    {
        // The first thousand characters, none of which is cut.
        $reason = preg_replace('/^(.{1000}).*$/su', '$1', trim((string) $reason)) ?? '';
        $body = array_filter(['reason' => $reason]);
        $this->submit($number, 'suspend', $body, 'service_suspended', 'service-suspension');
    }

    public function unsuspend(int $number): void
    {
        $this->submit($number, 'unsuspend', [], 'service_not_suspended', 'service-unsuspension');
    }

    /** Ends a service at once, in place of a cancellation that waits for a later date. */
    public function terminate(int $number): void
    {
        try {
            $this->send("/v1/services/$number/cancel", ['cancellation_type' => 'immediate']);
        } catch (BrokerError $error) {
            if (in_array($error->reason, ['service_cancelled', 'service_terminated'], true)) {
                return;
            }
            if ($error->reason !== 'cancellation_scheduled') {
                throw $error;
            }
            $request = $this->broker->get("/v1/requests/{$error->details['request_id']}")['data'];
            if ($request['cancellation_type'] !== 'immediate') {
                $this->takeBack($request, 'The service was to end at once');
                $this->terminate($number);
            } elseif ($request['request_status'] === 'pending') {
                $this->send("/v1/requests/{$request['request_id']}/approve", []);
            }
        }
    }

    /**
     * Moves a service to a plan, and then its options to the panel's values by the action `reconfigure`.
     *
     * @param array $texts values by names of options; those that are left out stay
     */
    public function changePlan(int $number, string $planName, array $texts): void
    {
        $service = $this->read($number);
        $target = $this->plan($planName);
        if (!$target && self::isNamed($service['plan'], $planName)) {
            // It is sold no more; the service keeps it.
            $target = $service['plan'] + ['options' => []];
        }
        if (!$target) {
            throw new BrokerRefusal("There is no plan \"$planName\"; choose another one");
        }
        $current = $service['plan'];
        foreach ($service['open_requests'] as $request) {
            if (!in_array($request['type'], self::PLAN_CHANGES, true)) {
                continue;
            }
            if ($request['new_plan']['id'] !== $target['id']) {
                $this->takeBack($request, "The service is to have the plan {$target['display_name']}");
                continue;
            }
            $current = $request['new_plan'];
            if ($request['request_status'] === 'pending') {
                $this->send("/v1/requests/{$request['request_id']}/approve", []);
            }
        }
        if ($current['id'] !== $target['id']) {
            $way = $target['upgrade_rank'] > $current['upgrade_rank'] ? 'upgrade' : 'downgrade';
            $this->send("/v1/services/$number/$way", ['new_plan' => $target['id']]);
        }
        $this->reconfigure($service, $target['options'], $texts);
    }

    /** Submits an action; where `$texts` does not say otherwise, its options have the service's own values. */
    public function act(int $number, string $name, array $texts = []): void
    {
        $service = $this->read($number);
        $action = self::named($service['actions'], $name) ?? throw new BrokerRefusal("This service has no \"$name\"");
        $values = self::configuration($action['options'], $texts + $service['configuration']);
        $this->send("/v1/services/$number/actions", ['action' => $name] + array_filter(['configuration' => $values]));
    }

    /** Never store or log them. */
    public function credentials(int $number): array
    {
        return $this->broker->get("/v1/services/$number/credentials")['data']['credentials'];
    }

    public function plans(): array
    {
        return iterator_to_array($this->broker->each('/v1/plans'), false);
    }

    /** What the service is once its queued work is done: what a panel shows. */
    public static function status(array $service): string
    {
        return $service['expected']['service_status'] ?? $service['service_status'];
    }

    public static function hasEnded(array $service): bool
    {
        return in_array(self::status($service), ['cancelled', 'terminated'], true);
    }

    /** @return string[] a sentence for each open request */
    public static function underWay(array $service): array
    {
        return array_map(static function (array $request) use ($service): string {
            $what = ucfirst(str_replace(['service-', '-'], ['', ' '], $request['type']));
            $what .= str_starts_with($request['type'], 'plan-') ? " to {$request['new_plan']['display_name']}" : '';
            return $what . match (true) {
                $request['request_status'] === 'operator_review' => ': under review',
                $request['request_status'] === 'pending' => ': waits for your decision',
                self::isLater($request, $service) => ': on ' . substr($request['effective_date'], 0, 10),
                default => ': under way',
            };
        }, $service['open_requests']);
    }

    /** Whether something changes soon by itself; what waits for a later date or a decision of ours does not. */
    public static function isOpen(array $service): bool
    {
        return (bool) array_filter(
            $service['open_requests'],
            static fn(array $request) => $request['request_status'] !== 'pending' && !self::isLater($request, $service),
        );
    }

    /** By the server's clock, which is not the panel's. */
    private static function isLater(array $request, array $service): bool
    {
        return (string) $request['effective_date'] > $service['updated_date'];
    }

    /** What went wrong, for the panel's staff: first what to look at. */
    public static function explain(Throwable $error): string
    {
        if (!$error instanceof BrokerError) {
            return ($error instanceof InvalidArgumentException ? 'Key: ' : '') . $error->getMessage();
        }
        $fields = $error->details['fields'] ?? [];
        $faults = array_map(
            static fn($field) => "{$field['path']}: {$field['message']}",
            // Those of another system's error may be anything.
            array_filter((array) $fields, static fn($field) => is_array($field) && isset($field['path'], $field['message'])),
        );
        $fields = implode('; ', $faults);
        $what = match ($error->fault()) {
            'address' => 'Address: the Broker API does not answer there',
            'certificate' => 'Certificate: the connection is not secure',
            'key' => 'Key: it is refused',
            'firewall' => 'Firewall: ask the operator to allow the address of this panel',
            'scope' => 'Scope: the key may not do this',
            'limit' => 'Limit: too many calls; repeat in ' . ($error->retryAfter ?? 60) . ' seconds',
            'server' => 'Server: no answer, so it is not known what was done; repeat this, nothing is done twice',
            'call' => 'Refused',
        };
        return "$what. {$error->getMessage()}" . ($fields === '' ? '' : " ($fields)");
    }

    /**
     * A panel's texts as values of a plan's options. What is empty or no option is left out; an empty box is a no.
     *
     * @param array $texts by names or display names of options, in any case
     */
    public static function configuration(array $options, array $texts): array
    {
        $texts = array_change_key_case($texts);
        $values = [];
        foreach ($options as $option) {
            $given = $texts[$option['name']] ?? $texts[strtolower($option['display_name'])] ?? null;
            $text = trim((string) $given);
            if ($given === null || ($text === '' && $option['type'] !== 'boolean')) {
                continue;
            }
            $values[$option['name']] = match ($option['type']) {
                'boolean' => !in_array(strtolower($text), ['', '0', 'no', 'off', 'false'], true),
                'number' => preg_match('/^-?\d{1,15}$/D', $text) ? (int) $text : $text,
                'choice' => self::choice($option['choices'], $text),
                default => $text,
            };
        }
        return $values;
    }

    private static function choice(array $choices, string $text): string
    {
        foreach ($choices as $choice) {
            if ($text === $choice['value'] || strcasecmp($text, $choice['display_name']) === 0) {
                return $choice['value'];
            }
        }
        return $text;
    }

    private function reconfigure(array $service, array $options, array $texts): void
    {
        $action = self::named($service['actions'], 'reconfigure');
        $changeable = self::configuration($action['options'] ?? [], $texts);
        $wanted = $changeable + self::configuration($options, $texts);
        $changed = array_filter(
            $wanted,
            static fn($value, $name) => ($service['configuration'][$name] ?? null) !== $value,
            ARRAY_FILTER_USE_BOTH,
        );
        $fixed = array_diff_key($changed, $changeable);
        if ($fixed) {
            throw new BrokerRefusal('Cannot be changed for an existing service: ' . implode(', ', array_keys($fixed)));
        }
        if (!$changed) {
            return;
        }
        try {
            $body = ['action' => 'reconfigure', 'configuration' => $changed];
            $this->send("/v1/services/{$service['service_number']}/actions", $body);
        } catch (BrokerError $error) {
            // An earlier call whose answer was lost; the values of an action are shown as they were submitted.
            $open = $error->reason === 'action_in_progress'
                ? $this->broker->get("/v1/requests/{$error->details['request_id']}")['data']
                : null;
            if (($open['action']['name'] ?? null) !== 'reconfigure' || array_diff_assoc($changed, $open['configuration'])) {
                throw $error;
            }
        }
    }

    /** Submits a suspension or its end. Where the service is so already, or will be, nothing is left to do. */
    private function submit(int $number, string $verb, array $body, string $already, string $type): void
    {
        try {
            $this->send("/v1/services/$number/$verb", $body);
        } catch (BrokerError $error) {
            $isUnderWay = $error->reason === 'suspension_in_progress' && ($error->details['type'] ?? null) === $type;
            if ($error->reason !== $already && !$isUnderWay) {
                throw $error;
            }
        }
    }

    /** Withdraws our own request, denies one of the client. */
    private function takeBack(array $request, string $reason): void
    {
        $path = "/v1/requests/{$request['request_id']}";
        try {
            if ($request['request_status'] === 'pending') {
                $this->broker->post("$path/deny", ['reason' => $reason]);
            } else {
                $this->send("$path/withdraw", []);
            }
        } catch (BrokerError $error) {
            if ($error->reason === 'work_has_begun') {
                throw new BrokerRefusal("The work of an earlier {$request['type']} has begun; repeat this when it has ended");
            }
            if ($error->reason !== 'request_already_processed') {
                throw $error;
            }
        }
    }

    /** A change whose repeats in this call are one; a later call finds what it did. */
    private function send(string $path, array $body): void
    {
        $this->broker->post($path, $body, 'panel-' . bin2hex(random_bytes(16)));
    }

    private function all(string $reference): array
    {
        return iterator_to_array($this->broker->each('/v1/services', ['external_reference' => $reference]), false);
    }

    private static function living(array $services): ?array
    {
        $living = array_filter($services, static fn(array $service) => !self::hasEnded($service));
        usort($living, static fn(array $a, array $b) => $b['service_number'] <=> $a['service_number']);
        return $living[0] ?? null;
    }

    private function plan(string $name): ?array
    {
        foreach ($this->plans() as $plan) {
            if (self::isNamed($plan, $name)) {
                return $plan;
            }
        }
        return null;
    }

    private static function isNamed(array $plan, string $name): bool
    {
        $names = [$plan['slug'], $plan['display_name']];
        return $plan['id'] === $name || in_array(strtolower($name), array_map(strtolower(...), $names), true);
    }

    private static function named(array $items, string $name): ?array
    {
        return array_column($items, null, 'name')[$name] ?? null;
    }
}
