<?php
/**
 * What the modules for billing panels have in common: PHP 8.1 or later with the curl extension, beside broker.php.
 *
 * Each function brings a service to where the panel wants it, wherever it is now, so that a repeat after a lost answer
 * does nothing twice. Nothing has to be stored for that: the service's own record says what it will be.
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
    private const NO = ['', '0', 'no', 'off', 'false'];
    private const YES_OR_NO = [...self::NO, '1', 'yes', 'on', 'true'];

    /** What `panelName` calls the field where no other words are given. */
    private const NAME_FIELD = 'the user name of the server record';

    /** Of one order, each after the end of the one before. */
    private const MAX_SERVICES = 1000;

    /** How long a plan change waits for the end of a suspension, in seconds. */
    private const RESUMES_WITHIN = 30;

    /**
     * @param ?string $reference `external_reference` of the order's service; without it no service is read or changed
     * @param ?string $email the address of the order's client
     */
    public function __construct(
        private Broker $broker,
        private ?string $reference = null,
        private ?string $email = null,
    ) {
    }

    /**
     * The service, if it is the order's; else it is refused. Whatever reads or changes a service begins here.
     *
     * It is the order's if it has its reference. One that no panel ordered, which staff connected by its number, has to
     * have the order's client.
     *
     * @param int|array $service its number, or its record
     */
    public function own(int|array $service): array
    {
        $reference = $this->reference();
        if (is_int($service)) {
            $service = $this->broker->get("/v1/services/$service")['data'];
        }
        $given = (string) $service['external_reference'];
        $client = (string) $service['client']['email'];
        $isOfPanel = preg_match('~^[A-Za-z0-9._-]+(-service-|-addon-|/order-|/service-)\d+$~D', $given) === 1;
        if ($given !== $reference && ($isOfPanel || !$this->isClient($client))) {
            throw new BrokerRefusal("The service {$service['service_number']} is another's: it has the reference " .
                "\"$given\" and the client \"$client\"; this order has \"$reference\" and \"{$this->email}\"");
        }
        return $service;
    }

    private function reference(): string
    {
        if (($this->reference ?? '') === '') {
            throw new BrokerRefusal('The panel does not say which order this is, so nothing is done');
        }
        return $this->reference;
    }

    private function isClient(string $email): bool
    {
        return trim($email) !== '' && strcasecmp(trim($email), trim((string) $this->email)) === 0;
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
     * A cron job tries each call for a minute. On a page it is 15 seconds, but for what a payment sets off, which comes
     * once. All wait for the next window of the rate limit.
     *
     * @param bool $forClient a page of a client, which must come up even while nothing answers
     * @param bool $isPatient a creation or the end of a suspension
     */
    public static function connect(
        string $address,
        #[SensitiveParameter] string $key,
        bool $forClient = false,
        bool $isPatient = false,
    ): Broker {
        [$tries, $timeout, $maxWait, $patience] = match (true) {
            $forClient => [2, 5, 2, null],
            $isPatient, PHP_SAPI === 'cli' => [6, 20, 60, 60],
            default => [3, 10, 60, 15],
        };
        if ($isPatient) {
            Broker::waitAgain();
        }
        return new Broker($address, $key, $tries, $timeout, $maxWait, $patience);
    }

    /**
     * The name of the panel's installation, which stands in `external_reference` of all its services.
     *
     * @param string $field what the panel calls the field with the name
     */
    public static function panelName(?string $given, string $field = self::NAME_FIELD): string
    {
        if (!preg_match('/^[A-Za-z0-9._-]{1,50}$/D', trim((string) $given))) {
            throw new BrokerRefusal("Set $field to a name of this panel, of letters and digits, that no other panel " .
                'with your keys has, such as "panel-1". Never change it');
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
        return $this->own($number);
    }

    /**
     * The order's service that has not ended and is not about to; null where there is none.
     *
     * @param bool $isKnown whether the panel's own records have a service for the order, whose client may have another
     *   address by now. Else a service with another address is refused: a panel that was restored from a backup gives
     *   the numbers of forgotten orders to new ones
     */
    public function find(bool $isKnown = false): ?array
    {
        $living = self::living($this->all($this->reference()));
        if (!$living || $isKnown) {
            return $living ? $this->own($living) : null;
        }
        return $this->ownByClient($living);
    }

    private function ownByClient(array $service): array
    {
        if (!$this->isClient((string) $service['client']['email'])) {
            throw new BrokerRefusal("The service {$service['service_number']} with the reference " .
                "\"{$this->reference}\" is of \"{$service['client']['email']}\": another panel had this name, or " .
                'this one was restored from a backup and gives numbers of orders a second time');
        }
        return $this->own($service);
    }

    /**
     * The service that a release before 1.2 ordered under another reference, if its client is the order's.
     *
     * @param bool $isForGood gives it the order's reference, by which it is found from then on
     */
    public function adopt(string $formerReference, bool $isForGood = true): ?array
    {
        $found = self::living(array_filter(
            $this->all($formerReference),
            fn(array $service) => $this->isClient((string) $service['client']['email']),
        ));
        if ($found && $isForGood) {
            $this->send("/v1/services/{$found['service_number']}/update", ['external_reference' => $this->reference()]);
        }
        return $found ? $this->own(['external_reference' => $this->reference()] + $found) : null;
    }

    /**
     * Orders a service, or finds the one that an earlier call ordered.
     *
     * @param array $client `name` and `email`
     * @param array $texts values by names of the plan's options, as the panel holds them; other names are left out
     * @param array $chosen the same, but names that are no options are refused
     * @return int the service's number
     */
    public function create(string $planName, array $client, array $texts, ?string $label, array $chosen = []): int
    {
        $plan = $this->plan($planName) ?? throw new BrokerRefusal("There is no plan \"$planName\"; choose another one");
        self::check($plan['options'], $chosen);
        $order = ['plan' => $plan['slug'], 'client' => $client, 'external_reference' => $this->reference()];
        $values = self::configuration($plan['options'], $chosen + $texts);
        $more = array_filter(['label' => $label, 'configuration' => $values]);
        for ($turn = 1; $turn <= self::MAX_SERVICES; $turn++) {
            // Which of the order's services it is, so that no call orders one twice.
            $key = 'create-' . hash('sha256', $this->reference()) . "-$turn";
            $answer = $this->broker->post('/v1/services', $order + $more, $key);
            if (!$answer['replayed']) {
                return $answer['data']['service_number'];
            }
            // An earlier call ordered it, or an earlier try of this one. Where it has ended, the next one is ordered.
            $earlier = $this->all($this->reference());
            $found = self::living($earlier);
            if ($found) {
                return $this->ownByClient($found)['service_number'];
            }
            $turn = max($turn, count($earlier));
        }
        throw new BrokerRefusal('This order has had too many services; place a new order');
    }

    public function suspend(int|array $service, ?string $reason): void
    {
        // The first thousand characters, none of which is cut.
        $reason = preg_replace('/^(.{1000}).*$/su', '$1', trim((string) $reason)) ?? '';
        $body = array_filter(['reason' => $reason]);
        $this->submit($service, 'suspend', $body, 'service_suspended', 'service-suspension');
    }

    public function unsuspend(int|array $service): void
    {
        $this->submit($service, 'unsuspend', [], 'service_not_suspended', 'service-unsuspension');
    }

    /** Ends a service at once, in place of a cancellation that waits for a later date. */
    public function terminate(int|array $service): void
    {
        $number = $this->own($service)['service_number'];
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
                $this->terminate($service);
            } elseif ($request['request_status'] === 'pending') {
                $this->send("/v1/requests/{$request['request_id']}/approve", []);
            }
        }
    }

    /** Whether the service has a plan, or an open request leads to it. */
    public static function isOn(array $service, string $planName): bool
    {
        $plans = array_column(self::planChanges($service), 'new_plan') ?: [$service['plan']];
        return self::isNamed($plans[0], $planName);
    }

    /**
     * Waits for the end of a suspension, and then moves the service to the plan that the panel bills: the plan of a
     * suspended service cannot change.
     *
     * @param array $texts and `$chosen` as for `changePlan`
     */
    public function changePlanAfterSuspension(int $number, string $planName, array $texts, array $chosen = []): void
    {
        for ($waited = 0; $this->own($number)['service_status'] === 'suspended'; $waited += 5) {
            if ($waited >= self::RESUMES_WITHIN) {
                throw new BrokerRefusal('The service is not resumed yet');
            }
            sleep(5);
        }
        $this->changePlan($number, $planName, $texts, $chosen);
    }

    /**
     * Moves a service to a plan together with its options; the options alone by the action `reconfigure`. What is wrong
     * is found before anything is sent.
     *
     * @param array $texts values by names of options; those that are left out stay
     * @param array $chosen the same, but names that are no options are refused
     */
    public function changePlan(int $number, string $planName, array $texts, array $chosen = []): void
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
        $action = self::named($service['actions'], 'reconfigure');
        self::check([...$target['options'], ...$action['options'] ?? []], $chosen);
        $texts = $chosen + $texts;
        $moves = $service['plan']['id'] !== $target['id'];
        $before = $service['configuration'];
        $changeable = self::configuration($action['options'] ?? [], $texts, $before);
        $wanted = self::configuration($target['options'], $texts, $before) + ($moves ? [] : $changeable);
        $wanted = self::changes($before, $wanted);
        $fixed = array_diff_key($wanted, $changeable);
        if ($moves) {
            // A value that the service never had comes with the plan that has the option.
            $fixed = array_intersect_key($fixed, $before);
        }
        if ($fixed) {
            throw new BrokerRefusal('Cannot be changed for an existing service: ' . implode(', ', array_keys($fixed)));
        }
        foreach (self::planChanges($service) as $request) {
            if ($moves && $request['new_plan']['id'] === $target['id'] && $this->takesAlong($request, $wanted)) {
                if ($request['request_status'] === 'pending') {
                    $this->send("/v1/requests/{$request['request_id']}/approve", []);
                }
                return;
            }
            $this->takeBack($request, "The service is to have the plan {$target['display_name']}");
        }
        if ($moves) {
            $way = $target['upgrade_rank'] > $service['plan']['upgrade_rank'] ? 'upgrade' : 'downgrade';
            $body = ['new_plan' => $target['id']] + array_filter(['configuration' => $wanted]);
            $this->send("/v1/services/$number/$way", $body);
        } elseif ($wanted) {
            $this->reconfigure($number, $wanted);
        }
    }

    /**
     * Submits an action; where `$texts` does not say otherwise, its options have the service's own values.
     *
     * @return string the request's id
     */
    public function act(int $number, string $name, array $texts = []): string
    {
        $service = $this->read($number);
        $action = self::named($service['actions'], $name) ?? throw new BrokerRefusal("This service has no \"$name\"");
        $values = self::configuration($action['options'], $texts + $service['configuration']);
        $body = ['action' => $name] + array_filter(['configuration' => $values]);
        return $this->send("/v1/services/$number/actions", $body)['request_id'];
    }

    /**
     * Waits for the end of a request on the order's service.
     *
     * @param int $patience seconds in all; a call that fails meanwhile ends the wait
     * @param int $step seconds between two calls, at most
     * @return array the request as it is then, which `is_final` says more of
     */
    public function follow(string $requestId, int $patience, int $step = 5): array
    {
        $began = hrtime(true);
        $request = $this->broker->get("/v1/requests/$requestId")['data'];
        try {
            for ($slept = 0; !$request['is_final']; $slept += $wait) {
                $left = $patience - max($slept, (hrtime(true) - $began) / 1e9);
                if ($left < 1) {
                    break;
                }
                $wait = (int) min($request['next_check_seconds'], $step, $left);
                sleep($wait);
                $request = $this->broker->get("/v1/requests/$requestId")['data'];
            }
        } catch (BrokerError) {
            // The work goes on all the same.
        }
        return $request;
    }

    /** Never store or log them. */
    public function credentials(int|array $service): array
    {
        $number = $this->own($service)['service_number'];
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

    /** Empty where there is none. A link of another scheme than HTTP could run a script. */
    public static function loginLink(?array $service): string
    {
        $url = (string) ($service['access']['login_url'] ?? '');
        return preg_match('~^https?://~i', $url) ? $url : '';
    }

    /**
     * The state as a client reads it.
     *
     * @param ?callable $translate takes an English text and values by `:names`, and returns it in the reader's language
     */
    public static function state(array $service, ?callable $translate = null): string
    {
        $isPending = $service['service_status'] === 'pending' && !self::hasEnded($service);
        return self::translate($translate, match ($isPending ? 'pending' : self::status($service)) {
            'pending' => 'Being set up',
            'active' => 'Active',
            'suspended' => 'Suspended',
            'cancelled' => 'Cancelled',
            default => 'Ended',
        });
    }

    /**
     * @param ?callable $translate as for `state`
     * @param string[] $names what actions are called, by the ids of their requests, as `actionsUnderWay` has them
     * @return string[] a sentence for each open request
     */
    public static function underWay(array $service, ?callable $translate = null, array $names = []): array
    {
        return array_map(static function (array $request) use ($service, $translate, $names): string {
            $plan = [':plan' => (string) ($request['new_plan']['display_name'] ?? '')];
            $what = match ($request['type']) {
                'service-creation' => self::translate($translate, 'Creation'),
                'service-suspension' => self::translate($translate, 'Suspension'),
                'service-unsuspension' => self::translate($translate, 'End of the suspension'),
                'service-action' => $names[$request['request_id']] ?? self::translate($translate, 'Action'),
                'cancellation' => self::translate($translate, 'Cancellation'),
                'plan-upgrade' => self::translate($translate, 'Plan upgrade to :plan', $plan),
                'plan-downgrade' => self::translate($translate, 'Plan downgrade to :plan', $plan),
                default => ucfirst(str_replace('-', ' ', $request['type'])),
            };
            return "$what: " . match (true) {
                $request['request_status'] === 'operator_review' => self::translate($translate, 'under review'),
                $request['request_status'] === 'pending' => self::translate($translate, 'waits for a decision'),
                self::isLater($request, $service) =>
                    self::translate($translate, 'on :date', [':date' => substr($request['effective_date'], 0, 10)]),
                default => self::translate($translate, 'under way'),
            };
        }, $service['open_requests']);
    }

    /** @return string[] what the actions under way are called, by the ids of their requests; a call for each */
    public function actionsUnderWay(array $service): array
    {
        $names = [];
        foreach ($this->own($service)['open_requests'] as ['type' => $type, 'request_id' => $id]) {
            if ($type === 'service-action') {
                $names[$id] = $this->broker->get("/v1/requests/$id")['data']['action']['display_name'];
            }
        }
        return $names;
    }

    private static function translate(?callable $translate, string $text, array $values = []): string
    {
        return $translate ? $translate($text, $values) : strtr($text, $values);
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
            array_filter((array) $fields, static fn($it) => is_array($it) && isset($it['path'], $it['message'])),
        );
        $fields = implode('; ', $faults);
        $what = match ($error->fault()) {
            'address' => 'Address: the Broker API does not answer there',
            'certificate' => 'Certificate: the connection is not secure',
            'key' => 'Key: it is refused',
            'firewall' => 'Firewall: ask the operator to allow the address of this panel' . self::from($error->details),
            'scope' => 'Scope: the key may not do this',
            'limit' => 'Limit: too many calls; repeat in ' . ($error->retryAfter ?? 60) . ' seconds',
            'server' => 'Server: no answer, so it is not known what was done; repeat this, nothing is done twice',
            'call' => 'Refused',
        };
        return "$what. {$error->getMessage()}" . ($fields === '' ? '' : " ($fields)");
    }

    /** The address that the firewall refused, as the server saw it. */
    private static function from(array $details): string
    {
        $address = $details['client_ip'] ?? null;
        return is_string($address) && filter_var($address, FILTER_VALIDATE_IP) ? ", $address" : '';
    }

    /** A domain as a host name, in its ASCII form (`xn--`); null for what is none, which is not sent. */
    public static function hostName(string $domain): ?string
    {
        $domain = rtrim(trim($domain), '.');
        if (!preg_match('/^[\x20-\x7e]*$/D', $domain)) {
            $domain = function_exists('idn_to_ascii') ? (string) idn_to_ascii($domain, IDNA_DEFAULT) : '';
        }
        $label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
        $isHostName = preg_match("/^(?=.{1,253}$)($label\\.)*(?!\\d+$)$label$/Di", $domain);
        return $isHostName ? strtolower($domain) : null;
    }

    /** Refuses names that are no options, and texts for a yes or no that are neither. */
    private static function check(array $options, array $chosen): void
    {
        $known = [];
        foreach ($options as $option) {
            $known[$option['name']] = $known[strtolower($option['display_name'])] = $option;
        }
        $faults = [];
        foreach (array_change_key_case($chosen) as $name => $text) {
            $option = $known[$name] ?? null;
            $isYesOrNo = in_array(strtolower(trim((string) $text)), self::YES_OR_NO, true);
            if (!$option) {
                $names = implode(', ', array_unique(array_column($options, 'name'))) ?: 'none';
                $faults[] = "\"$name\" is no option of the plan; its options: $names";
            } elseif ($option['type'] === 'boolean' && !$isYesOrNo) {
                $faults[] = "\"$name\" is yes or no, not \"$text\"";
            }
        }
        if ($faults) {
            throw new BrokerRefusal(implode('. ', $faults));
        }
    }

    /**
     * A panel's texts as values of a plan's options. What is empty or no option is left out; an empty box is a no. A
     * number of 0 that the option does not allow is what a panel sends where nothing was chosen: it is left out, too,
     * or takes back what a service has.
     *
     * @param array $texts by names or display names of options, in any case
     * @param array $before the values that the service has
     */
    public static function configuration(array $options, array $texts, array $before = []): array
    {
        $texts = array_change_key_case($texts);
        $values = [];
        foreach ($options as $option) {
            $given = $texts[$option['name']] ?? $texts[strtolower($option['display_name'])] ?? null;
            $text = trim((string) $given);
            if ($option['type'] === 'number' && $text === '0' && ($option['minimum'] ?? 0) > 0) {
                // Where there is no default, the API refuses the 0: the service would keep what is no longer paid.
                $text = isset($before[$option['name']]) ? (string) ($option['default'] ?? 0) : '';
            }
            $isNothing = $option['type'] !== 'boolean' && $text === '';
            if ($given === null || $isNothing) {
                continue;
            }
            $values[$option['name']] = match ($option['type']) {
                'boolean' => !in_array(strtolower($text), self::NO, true),
                'number' => preg_match('/^-?\d{1,15}$/D', $text) ? (int) $text : $text,
                'choice' => self::choice($option['choices'], $text),
                default => $text,
            };
        }
        return $values;
    }

    /**
     * What the API would refuse about a value of an option, as a client reads it; null where no fault is known.
     *
     * @param mixed $value as `configuration` has it
     * @param ?callable $translate as for `state`
     */
    public static function faultOf(array $option, mixed $value, ?callable $translate = null): ?string
    {
        $named = [':option' => $option['display_name']];
        $choices = array_column($option['choices'] ?? [], 'display_name', 'value');
        $listed = [':choices' => implode(', ', $choices)];
        [$from, $to] = [$option['minimum'] ?? PHP_INT_MIN, $option['maximum'] ?? PHP_INT_MAX];
        return match ($option['type']) {
            'choice' => isset($choices[$value]) ? null
                : self::translate($translate, ':option: choose one of :choices', $named + $listed),
            'number' => is_int($value) && $value >= $from && $value <= $to ? null
                : self::translate($translate, ':option has to be a number from :from to :to', $named + [
                    ':from' => (string) ($option['minimum'] ?? '-'),
                    ':to' => (string) ($option['maximum'] ?? '-'),
                ]),
            'text' => match (true) {
                ($option['format'] ?? null) === 'hostname' && self::hostName($value) !== strtolower($value) =>
                    self::translate($translate, ':option has to be a host name, such as shop.example.com', $named),
                preg_match_all('/./su', $value) > ($option['max_length'] ?? PHP_INT_MAX) =>
                    self::translate($translate, ':option is too long', $named),
                default => null,
            },
            default => null,
        };
    }

    /**
     * The options that none of the names is of, neither as name nor as display name.
     *
     * @param string[] $names in any case
     */
    public static function without(array $options, array $names): array
    {
        $names = array_map(strtolower(...), $names);
        return array_values(array_filter($options, static fn(array $option) =>
            !array_intersect([$option['name'], strtolower($option['display_name'])], $names)));
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

    /** The wanted values that the service has not; one that it lacks and that is empty is none. */
    private static function changes(array $configuration, array $wanted): array
    {
        return array_filter(
            $wanted,
            static fn($value, $name) => $value !== ($configuration[$name] ?? null)
                && (isset($configuration[$name]) || !in_array($value, [false, 0, ''], true)),
            ARRAY_FILTER_USE_BOTH,
        );
    }

    private static function planChanges(array $service): array
    {
        $isPlanChange = static fn(array $request) => in_array($request['type'], self::PLAN_CHANGES, true);
        return array_values(array_filter($service['open_requests'], $isPlanChange));
    }

    /** Whether an open plan change has the wanted values of options. */
    private function takesAlong(array $request, array $wanted): bool
    {
        if (!$wanted) {
            return true;
        }
        $taken = $this->broker->get("/v1/requests/{$request['request_id']}")['data']['configuration'] ?? [];
        return !self::changes($taken, $wanted);
    }

    private function reconfigure(int $number, array $values): void
    {
        try {
            $body = ['action' => 'reconfigure', 'configuration' => $values];
            $this->send("/v1/services/$number/actions", $body);
        } catch (BrokerError $error) {
            // An earlier call whose answer was lost; the values of an action are shown as they were submitted.
            $open = $error->reason === 'action_in_progress'
                ? $this->broker->get("/v1/requests/{$error->details['request_id']}")['data']
                : null;
            if (($open['action']['name'] ?? null) !== 'reconfigure' || self::changes($open['configuration'], $values)) {
                throw $error;
            }
        }
    }

    /** Submits a suspension or its end. Where the service is so already, or will be, nothing is left to do. */
    private function submit(int|array $service, string $verb, array $body, string $already, string $type): void
    {
        $number = $this->own($service)['service_number'];
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
                $what = "The work of an earlier {$request['type']} has begun";
                throw new BrokerRefusal("$what; repeat this when it has ended");
            }
            if ($error->reason !== 'request_already_processed') {
                throw $error;
            }
        }
    }

    /** A change whose repeats in this call are one; a later call finds what it did. */
    private function send(string $path, array $body): array
    {
        return $this->broker->post($path, $body, 'panel-' . bin2hex(random_bytes(16)))['data'];
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
